#include "reports/openmetrics/run_series.hpp"

#include <map>

#include "reports/model/rack.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::openmetrics {
namespace {

void add_counts(Families& families, const model::Counts& counts, const char* required) {
  for (const auto& [outcome, word] : model::words_of(model::Outcome{})) {
    families.add("rackproof_cells", "", "Cells by outcome.",
                 {{"outcome", std::string(word)}, {"required", required}},
                 count_of(counts, outcome));
  }
}

model::Counts less_of(const model::Counts& all, const model::Counts& some) {
  model::Counts rest;
  for (const auto& word : model::words_of(model::Outcome{})) {
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

Labels info_of(const model::Report& report) {
  Labels labels = {{"version", report.tool.version},
                   {"commit", report.tool.commit},
                   {"launcher", report.run.launcher}};
  for (const auto& [name, value] : report.run.labels) {
    if (name != model::kRackLabel) labels.emplace_back("label_" + name, value);
  }
  return labels;
}

}  // namespace

void add_run(Families& families, const model::Report& report) {
  families.add("rackproof_run_info", "", "The run that these numbers are of.", info_of(report), 1);
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
  add_counts(families, less_of(report.counts, report.required_counts), "false");
  std::map<model::Severity, int> findings;
  for (const model::Finding& finding : report.findings) ++findings[finding.severity];
  for (const auto severity : {model::Severity::kInfo, model::Severity::kWarning,
                              model::Severity::kError, model::Severity::kIsolate}) {
    families.add("rackproof_findings", "", "Findings by severity.",
                 {{"severity", std::string(contract::word(severity))}}, findings[severity]);
  }
  add_disturbed(families, report);
}

}  // namespace rackproof::openmetrics
