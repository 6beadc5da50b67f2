#include "harness/judge/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/judge/recognise.hpp"

namespace rackproof::judge {
namespace {

using model::PlatformTable;
using Nodes = std::vector<const model::NodeInventory*>;

Nodes nodes_of(const model::Report& report, const std::string& table) {
  Nodes nodes;
  for (const model::NodeInventory& node : report.nodes) {
    const auto found = report.platform_of_host.find(node.host);
    if (found != report.platform_of_host.end() && found->second == table) nodes.push_back(&node);
  }
  return nodes;
}

void add_unmet(const PlatformTable& table, const model::FactExpectation& expectation,
               const Nodes& nodes, std::vector<Unmet>& out) {
  std::map<std::string, std::size_t> by_value;
  for (const model::NodeInventory* node : nodes) {
    if (holds(expectation.rule, *node)) continue;
    const Contradiction found = contradiction(expectation.rule, *node);
    const auto [at, fresh] = by_value.try_emplace(found.have, out.size());
    if (fresh) {
      out.push_back({table.id,
                     found.want,
                     found.have,
                     model::value_of(*node, expectation.rule.fact).has_value(),
                     expectation.severity,
                     expectation.remedy,
                     {}});
    }
    out[at->second].hosts.push_back(node->host);
  }
}

}  // namespace

std::vector<Unmet> unmet_expectations(const model::Report& report) {
  std::vector<Unmet> all;
  for (const PlatformTable& table : report.platforms) {
    if (table.expect.empty()) continue;
    const Nodes nodes = nodes_of(report, table.id);
    for (const model::FactExpectation& one : table.expect) add_unmet(table, one, nodes, all);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Unmet& a, const Unmet& b) { return a.severity > b.severity; });
  return all;
}

std::string to_text(const Unmet& unmet) {
  return fmt::format("{}: table {} expects that {}, and that is {}", host_names(unmet.hosts),
                     unmet.table, unmet.want, unmet.have);
}

std::vector<model::Finding> find_unmet(const model::Report& report) {
  std::vector<model::Finding> findings;
  for (const Unmet& unmet : unmet_expectations(report)) {
    model::Finding finding;
    finding.id = "expectation-unmet";
    finding.severity = unmet.severity;
    finding.subject = host_names(unmet.hosts);
    finding.text =
        fmt::format("table {} expects that {}, and that is {}{}{}", unmet.table, unmet.want,
                    unmet.have, unmet.remedy.empty() ? "" : "; ", unmet.remedy);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rackproof::judge
