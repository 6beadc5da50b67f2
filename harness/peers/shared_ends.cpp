#include "harness/peers/shared_ends.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "harness/evidence/reasons.hpp"
#include "harness/peers/fabric_ports.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::peers {
namespace {

struct Links {
  int all = 0;
  int failed = 0;
  std::size_t example = 0;  // a cell that failed
};

struct Census {
  Links links;
  std::map<std::string_view, Links> of_host;
};

void count_cell(Links& links, bool failed, std::size_t cell) {
  ++links.all;
  if (!failed) return;
  if (links.failed++ == 0) links.example = cell;
}

// Links between hosts among like cells; those within a host are another matter.
Census take_census(const cells::JudgedCells& judged, const cells::LikeCells& cells) {
  Census census;
  for (const std::size_t cell : cells) {
    const model::Subject& subject = judged.subject_of(cell);
    if (subject.kind != contract::SubjectKind::kLink) break;
    if (subject.host == subject.peer_host) continue;
    const bool failed = judged.summary(cell).outcome == model::Outcome::kFail;
    count_cell(census.links, failed, cell);
    count_cell(census.of_host[subject.host], failed, cell);
    count_cell(census.of_host[subject.peer_host], failed, cell);
  }
  return census;
}

bool stands_out(const Links& own, const Links& all) {
  const int others = all.all - own.all;
  return own.all >= 2 && own.failed == own.all && others > 0 &&
         (all.failed - own.failed) * 2 < others;
}

/// " (NIC mlx5_0, rail 3, leaf2 port 31)"
std::string connected_to(const evidence::Context& context, std::string_view host) {
  const model::NodeInventory* node = context.node(host);
  if (node == nullptr) return "";
  const std::vector<FabricPort> ports = ports_used(*node, nullptr);
  return ports.size() == 1 ? " (" + text_of(ports.front()) + ")" : "";
}

}  // namespace

std::vector<model::Finding> find_shared_ends(const evidence::Context& context,
                                             const cells::JudgedCells& judged,
                                             const cells::CellAt& at) {
  std::vector<model::Finding> findings;
  std::map<std::string, std::size_t> place;
  for (const cells::LikeCells& cells : judged.like_cells()) {
    const Census census = take_census(judged, cells);
    for (const auto& [host, own] : census.of_host) {
      if (!stands_out(own, census.links)) continue;
      const auto [known, fresh] = place.try_emplace(std::string(host), findings.size());
      if (!fresh) continue;
      const model::Cell& cell = at(own.example);
      model::Finding finding;
      finding.id = model::finding_id::kSlowHost;
      finding.severity = model::Severity::kError;
      finding.subject = host;
      finding.step = cell.step;
      finding.text =
          fmt::format("all {} links of {}{} to other hosts failed in {}, and {} of the other {}",
                      own.all, host, connected_to(context, host), evidence::quantity_of(cell),
                      census.links.failed - own.failed, census.links.all - own.all);
      finding.evidence = {{"links", std::int64_t{own.all}},
                          {"others", std::int64_t{census.links.all - own.all}},
                          {"others_failed", std::int64_t{census.links.failed - own.failed}}};
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace rackproof::peers
