#include "reports/openmetrics/openmetrics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "reports/model/cell_text.hpp"
#include "reports/model/rack.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"
#include "reports/openmetrics/families.hpp"

namespace rackproof::openmetrics {
namespace {

using model::Cell;
using model::Outcome;

Labels parameters_of(const Cell& cell) {
  Labels labels;
  for (const auto& [name, value] : cell.parameters) {
    labels.emplace_back("param_" + name, model::to_text(value));
  }
  return labels;
}

// What tells a cell of a device, a node or a group from all others.
Labels labels_of(const Cell& cell) {
  Labels labels = {{"step", cell.step}, {"metric", cell.metric}};
  switch (cell.subject.kind) {
    case contract::SubjectKind::kNode:
      labels.emplace_back("host", cell.subject.host);
      break;
    case contract::SubjectKind::kDevice:
      labels.emplace_back("host", cell.subject.host);
      labels.emplace_back("device", cell.subject.device);
      break;
    case contract::SubjectKind::kGroup:
    case contract::SubjectKind::kLink:
      labels.emplace_back("group", label(cell.subject));
      break;
  }
  for (auto& parameter : parameters_of(cell)) labels.push_back(std::move(parameter));
  return labels;
}

void add_number(Families& families, const Cell& cell, const Labels& labels,
                const std::string& infix) {
  const model::Verdict& verdict = cell.verdict;
  const std::pair<std::string, std::string> otherwise = {"cell", cell.id};
  if (verdict.observed && std::isfinite(*verdict.observed)) {
    const std::string unit = model::unit_of(cell);
    families.add("rackproof_" + cell.metric + infix, unit,
                 fmt::format("{}{} as it was judged, in {}.", cell.metric,
                             infix.empty() ? "" : ", of the worst link of a host", unit),
                 labels, *verdict.observed, otherwise);
  }
  if (verdict.ratio && std::isfinite(*verdict.ratio)) {
    families.add("rackproof_cell" + infix, "ratio",
                 infix.empty() ? "What was measured by what was expected."
                               : "What was measured by what was expected, of the worst link.",
                 labels, *verdict.ratio, otherwise);
  }
}

void add_cell(Families& families, const Cell& cell) {
  const Labels labels = labels_of(cell);
  add_number(families, cell, labels, "");
  const Outcome outcome = cell.verdict.outcome;
  if (outcome == Outcome::kPass || outcome == Outcome::kFail) {
    families.add("rackproof_cell_passed", "",
                 "1 where the cell passed, 0 where it failed; absent where it is neither.", labels,
                 outcome == Outcome::kPass ? 1 : 0, {"cell", cell.id});
  }
}

struct Links {
  Labels labels;
  const Cell* worst = nullptr;
  std::int64_t failed = 0;
};

bool is_worse(const Cell& cell, const Cell* than) {
  if (!cell.verdict.observed || !std::isfinite(*cell.verdict.observed)) return false;
  if (than == nullptr) return true;
  const bool less =
      !cell.measurements.empty() && cell.measurements.back().better == contract::Better::kLess;
  return less ? *cell.verdict.observed > *than->verdict.observed
              : *cell.verdict.observed < *than->verdict.observed;
}

void add_links(Families& families, const model::Report& report) {
  std::map<Labels, Links> links;
  for (const Cell& cell : report.cells) {
    if (cell.subject.kind != contract::SubjectKind::kLink) continue;
    Labels labels = {{"step", cell.step}, {"metric", cell.metric}, {"host", cell.subject.host}};
    for (auto& parameter : parameters_of(cell)) labels.push_back(std::move(parameter));
    Links& one = links[labels];
    one.labels = labels;
    if (is_worse(cell, one.worst)) one.worst = &cell;
    if (cell.verdict.outcome == Outcome::kFail) ++one.failed;
  }
  for (const auto& [key, one] : links) {
    if (one.worst != nullptr) add_number(families, *one.worst, one.labels, "_worst_link");
    families.add("rackproof_failed_links", "", "Links of a host that failed.", one.labels,
                 static_cast<double>(one.failed));
  }
}

void add_counts(Families& families, const model::Counts& counts, const char* required) {
  for (const auto& [outcome, word] : model::words_of(Outcome{})) {
    families.add("rackproof_cells", "", "Cells by outcome.",
                 {{"outcome", std::string(word)}, {"required", required}},
                 count_of(counts, outcome));
  }
}

model::Counts less(const model::Counts& all, const model::Counts& some) {
  model::Counts rest;
  for (const auto& word : model::words_of(Outcome{})) {
    count_of(rest, word.value) = count_of(all, word.value) - count_of(some, word.value);
  }
  return rest;
}

void add_disturbed(Families& families, const model::Report& report) {
  std::map<std::string, int> by_host;
  for (const model::Attempt& attempt : report.attempts) {
    if (attempt.load.processors == 0) continue;
    by_host[attempt.host] += model::was_disturbed(report.suite.policy, attempt) ? 1 : 0;
  }
  for (const auto& [host, count] : by_host) {
    families.add("rackproof_disturbed_attempts", "",
                 "Attempts on a host that other programs disturbed.", {{"host", host}}, count);
  }
}

void add_run(Families& families, const model::Report& report) {
  families.add("rackproof_run_info", "", "The run that these numbers are of.",
               {{"suite", report.suite.id},
                {"version", report.tool.version},
                {"commit", report.tool.commit},
                {"launcher", report.run.launcher}},
               1);
  for (const auto& [acceptance, word] : model::words_of(model::Acceptance{})) {
    families.add("rackproof_acceptance", "", "1 for the verdict of the run, 0 for the others.",
                 {{"acceptance", std::string(word)}}, report.acceptance == acceptance ? 1 : 0);
  }
  for (const model::ClaimState& claim : report.judged_claims) {
    families.add("rackproof_claim_held", "",
                 "1 where each part passed a limit for what the suite claims.",
                 {{"claim", claim.id}}, claim.is_held() ? 1 : 0);
  }
  families.add("rackproof_run_duration", "s", "How long the run took.", {}, report.run.seconds);
  if (const auto began = model::unix_seconds(report.run.began_utc)) {
    families.add("rackproof_run_began_timestamp", "s", "When the run began, since 1970.", {},
                 *began);
  }
  families.add("rackproof_hosts", "", "Hosts of the run.", {},
               static_cast<double>(report.nodes.size()));
  families.add("rackproof_ranks", "", "Ranks of the run.", {}, report.run.ranks);
  add_counts(families, report.required_counts, "true");
  add_counts(families, less(report.counts, report.required_counts), "false");
  std::map<model::Severity, int> findings;
  for (const model::Finding& finding : report.findings) ++findings[finding.severity];
  for (const auto severity : {model::Severity::kInfo, model::Severity::kWarning,
                              model::Severity::kError, model::Severity::kIsolate}) {
    families.add("rackproof_findings", "", "Findings by severity.",
                 {{"severity", std::string(contract::word(severity))}}, findings[severity]);
  }
  add_disturbed(families, report);
}

}  // namespace

std::string render(const model::Report& report) {
  Families families({{"rack", model::rack_of(report)}, {"run", report.run.id}});
  add_run(families, report);
  for (const Cell& cell : report.cells) {
    if (cell.subject.kind != contract::SubjectKind::kLink) add_cell(families, cell);
  }
  add_links(families, report);
  return families.text();
}

}  // namespace rackproof::openmetrics
