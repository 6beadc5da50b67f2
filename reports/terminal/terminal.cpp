#include "reports/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/model/fact_name.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/layout.hpp"
#include "reports/terminal/sweeps.hpp"

namespace rackproof::terminal {
namespace {

void add_verdict(Page& page, const model::Report& report) {
  const auto tell = [&](Paint paint) {
    page.paragraph(0, paint, model::verdict_word(report.acceptance), model::verdict_text(report));
    if (report.amends) page.paragraph(2, model::amends_text(report));
  };
  switch (report.acceptance) {
    case model::Acceptance::kAccepted:
      return tell(Paint::kGood);
    case model::Acceptance::kRejected:
      return tell(Paint::kBad);
    case model::Acceptance::kIncomplete:
    case model::Acceptance::kVerified:
      return tell(Paint::kWarn);
  }
}

bool is_generic(const model::Report& report, const std::string& id) {
  return std::any_of(report.platforms.begin(), report.platforms.end(),
                     [&](const auto& table) { return table.id == id && table.generic; });
}

/// "platform host-generic (generic checks only, no table matched)".
std::string platforms_of(const model::Report& report) {
  std::map<std::string, std::size_t> hosts_of;
  for (const auto& [host, id] : report.platform_of_host) ++hosts_of[id];
  if (hosts_of.empty()) return "no platform";
  std::string text = hosts_of.size() == 1 ? "platform " : "platforms ";
  bool first = true;
  for (const auto& [id, hosts] : hosts_of) {
    if (!first) text += ", ";
    first = false;
    text += id;
    std::string detail = is_generic(report, id) ? "generic checks only" : "";
    if (hosts_of.size() > 1) {
      detail += (detail.empty() ? "" : ", ") + counted(hosts, "host");
    } else if (report.run.platform_choice != model::PlatformChoice::kUnknown) {
      detail += detail.empty() ? "" : ", ";
      detail += contract::word(report.run.platform_choice);
    }
    if (!detail.empty()) text += " (" + detail + ")";
  }
  return text;
}

/// What is known of whether the detectors themselves work here.
std::string proof_text(const model::ToolInfo& tool) {
  const model::ProofInfo& proof = tool.proof;
  if (proof.utc.empty())
    return "fault detection not self-tested on this machine: run rackproof prove";
  const bool same = proof.version == tool.version && proof.commit == tool.commit;
  return fmt::format(
      "fault detection self-tested {} by {} on {}: of the injected faults {} detected, {} missed, "
      "{} not "
      "tested",
      proof.utc,
      same ? "this build" : fmt::format("another build, {} ({})", proof.version, proof.commit),
      counted(static_cast<std::size_t>(std::max(proof.ranks, 0)), "rank"), proof.caught,
      proof.missed, proof.not_proven);
}

/// What a reader should know of the rights and programs that a run had.
void add_rights(Page& page, const model::Report& report) {
  const auto roots = static_cast<std::size_t>(
      std::count_if(report.nodes.begin(), report.nodes.end(), [](const auto& node) {
        return model::value_of(node, model::fact_name::kProcessIsRoot) == contract::Scalar(true);
      }));
  if (roots > 0) {
    page.paragraph(0, "ran as root on " + counted(roots, "host") + ": no measurement needs it");
  }
  const auto site = report.tool.build.find("site_folders");
  if (site != report.tool.build.end()) {
    page.paragraph(0, "suites and tables of this site: " + site->second);
  }
  const auto allowed = report.tool.build.find("allowed_programs");
  if (allowed != report.tool.build.end()) {
    page.paragraph(0, Paint::kWarn, "programs of " + allowed->second + ":",
                   "allowed for this run; they are not part of rackproof");
  }
}

void add_run(Page& page, const model::Report& report) {
  std::set<std::string> hosts;
  for (const auto& node : report.nodes) hosts.insert(node.host);
  const model::RunInfo& run = report.run;
  std::string text = fmt::format(
      "{}, {} with {}{}, {}", platforms_of(report), counted(hosts.size(), "host"),
      counted(static_cast<std::size_t>(std::max(run.ranks, 0)), "rank"),
      run.launcher.empty() ? "" : " (" + run.launcher + ")", model::duration(run.seconds));
  if (run.segments > 1) text += fmt::format(", in {} parts", run.segments);
  if (run.interrupted) text += ", interrupted";
  if (!run.completed) text += ", not every step was reached";
  page.paragraph(0, fmt::format("suite {}, {}", report.suite.id, text));

  std::string origin = fmt::format("run {}", run.id);
  if (!run.began_utc.empty()) origin += ", began " + run.began_utc;
  origin += fmt::format(", rackproof {} ({})", report.tool.version, report.tool.commit);
  for (const auto& [key, value] : run.labels) origin += fmt::format(", {}={}", key, value);
  page.paragraph(0, origin);
  page.paragraph(0, proof_text(report.tool));
  add_rights(page, report);
  add_recordings(page, report);
  for (const model::RankInfo& rank : report.ranks) {
    if (rank.state == model::RankState::kFinished) continue;
    page.paragraph(
        0, Paint::kWarn, fmt::format("rank {} on {}:", rank.rank, rank.host),
        std::string(contract::word(rank.state)) + (rank.detail.empty() ? "" : ", " + rank.detail));
  }
}

std::vector<std::string> count_row(std::string name, const model::Counts& counts) {
  return {std::move(name),
          std::to_string(counts.pass),
          std::to_string(counts.verified),
          std::to_string(counts.fail),
          std::to_string(counts.untested),
          std::to_string(counts.unjudged),
          std::to_string(counts.waived),
          std::to_string(total(counts))};
}

void add_counts(Page& page, const model::Report& report) {
  page.table(0,
             {{"cells", "pass", "verified", "fail", "untested", "unjudged", "waived", "total"},
              count_row("required", report.required_counts),
              count_row("all", report.counts)},
             1);
}

}  // namespace

std::string brief(const model::Report& report, const Style& style) {
  Page page(style);
  add_run(page, report);
  page.blank();
  add_counts(page, report);
  add_brief(page, report);
  page.blank();
  add_verdict(page, report);
  return page.take();
}

std::string render(const model::Report& report, const Style& style) {
  PassedCells passed;
  for (const model::Cell& cell : report.cells) passed.add(cell);
  return render(report, passed, style);
}

std::string render(const model::Report& report, const PassedCells& passed, const Style& style) {
  Page page(style);
  add_verdict(page, report);
  page.blank();
  add_run(page, report);
  page.blank();
  add_counts(page, report);
  add_attention(page, report);
  const Sweeps sweeps(report, passed);
  add_passed(page, report, passed, sweeps);
  add_sweeps(page, sweeps);
  if (style.all_cells) {
    add_all_cells(page, report);
    add_recorded(page, report);
  }
  return page.take();
}

}  // namespace rackproof::terminal
