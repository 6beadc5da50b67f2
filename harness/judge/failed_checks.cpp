#include "harness/judge/failed_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "harness/evidence/evidence.hpp"
#include "harness/evidence/reasons.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::judge {
namespace {

/// What the processes have in common of which one's check is about what another measured.
std::string process_key(const model::Attempt& attempt) {
  if (attempt.members <= 0) return attempt.nonce;
  const auto [resumed, number] = evidence::turn_of(attempt);
  return fmt::format("{}\n{}\n{}\n{}", attempt.step, model::label(attempt.subject), resumed,
                     number);
}

model::Finding finding_of(const FailedChecks::Failed& failed, std::size_t cells) {
  model::Finding finding;
  finding.id = model::finding_id::kFailedCheck;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(failed.attempt->subject);
  finding.step = failed.attempt->step;
  finding.text =
      fmt::format("{}; no number of the run rests on this check, so it may be about any: {}",
                  evidence::wrong_answer(failed.attempt, failed.check).reason,
                  cells == 0 ? "the run is not accepted"
                             : fmt::format("what its process measured meanwhile fails, {} cell{}",
                                           cells, cells == 1 ? "" : "s"));
  finding.evidence = {{"check", failed.check->name},
                      {"wrong", failed.check->wrong},
                      {"compared", failed.check->compared},
                      {"cells", static_cast<std::int64_t>(cells)}};
  return finding;
}

std::set<std::string> steps_with_failed_checks(const model::Report& report) {
  std::set<std::string> steps;
  for (const model::Attempt& attempt : report.attempts) {
    if (!attempt.narrows &&
        std::any_of(attempt.checks.begin(), attempt.checks.end(), evidence::is_failed)) {
      steps.insert(attempt.step);
    }
  }
  return steps;
}

}  // namespace

FailedChecks::FailedChecks(const evidence::Context& context) : context_(&context) {
  const std::set<std::string> known = steps_with_failed_checks(context.report());
  for (const model::Attempt& attempt : context.report().attempts) {
    // A part of a group says no more than the whole did, where that gave a wrong answer too.
    if (attempt.narrows && known.contains(attempt.step)) continue;
    for (const model::CheckResult& check : attempt.checks) {
      if (evidence::is_failed(check)) failed_.push_back({&attempt, &check});
    }
  }
  // Whatever the order of attempts in the report.
  const auto key = [](const Failed& one) {
    return std::tie(one.attempt->step, one.attempt->nonce, one.check->name);
  };
  std::stable_sort(failed_.begin(), failed_.end(),
                   [&](const Failed& a, const Failed& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < failed_.size(); ++i) {
    by_process_[process_key(*failed_[i].attempt)].push_back(i);
  }
}

std::vector<evidence::Reach> FailedChecks::reached(const model::Cell& cell) const {
  std::vector<evidence::Reach> reached;
  if (failed_.empty()) return reached;
  const auto reach = [&](const model::Measurement& measurement) {
    const model::Attempt* attempt = context_->attempt(measurement.attempt);
    if (attempt == nullptr || attempt->step != cell.step) return;
    const auto found = by_process_.find(process_key(*attempt));
    if (found == by_process_.end()) return;
    for (const std::size_t place : found->second) {
      const bool named = measurement.check.name == failed_[place].check->name;
      reached.push_back({place, 0, named});
    }
  };
  std::for_each(cell.measurements.begin(), cell.measurements.end(), reach);
  std::for_each(cell.confirmations.begin(), cell.confirmations.end(), reach);
  return reached;
}

std::vector<model::Finding> FailedChecks::condemn(cells::JudgedCells& judged,
                                                  cells::Amendments& amendments) const {
  struct Cells {
    std::vector<std::size_t> all;
    bool named = false;
  };
  std::vector<Cells> of_check(failed_.size());
  for (const evidence::Reach& reach : judged.failed_checks()) {
    Cells& cells = of_check[reach.voter];
    cells.all.push_back(reach.cell);
    cells.named = cells.named || reach.by_check;
  }
  std::vector<model::Finding> findings;
  for (std::size_t i = 0; i < failed_.size(); ++i) {
    const Cells& cells = of_check[i];
    if (cells.named) continue;
    findings.push_back(finding_of(failed_[i], cells.all.size()));
    const model::Verdict verdict = evidence::wrong_answer(failed_[i].attempt, failed_[i].check);
    for (const std::size_t cell : cells.all) {
      // Of several checks the first one, and a wrong answer before whatever else was wrong.
      const auto known = amendments.find(cell);
      if (known != amendments.end() && known->second.reason_id == verdict.reason_id) continue;
      cells::CellSummary& summary = judged.summary(cell);
      summary.outcome = verdict.outcome;
      summary.trusted = false;
      amendments[cell] = {verdict.outcome, verdict.reason_id, verdict.reason, false};
    }
  }
  return findings;
}

std::string unnamed_failure(const model::Report& report) {
  const auto found = std::find_if(
      report.findings.begin(), report.findings.end(),
      [](const model::Finding& finding) { return finding.id == model::finding_id::kFailedCheck; });
  return found == report.findings.end() ? "" : fmt::format("{}: {}", found->subject, found->text);
}

}  // namespace rackproof::judge
