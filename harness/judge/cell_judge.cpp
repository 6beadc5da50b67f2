#include "harness/judge/cell_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/cells/plausible.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/evidence/planned.hpp"
#include "harness/evidence/reasons.hpp"
#include "harness/judge/acceptance.hpp"
#include "harness/judge/flaky.hpp"
#include "harness/judge/judge.hpp"
#include "harness/judge/shortfall.hpp"
#include "harness/judge/site_waivers.hpp"
#include "harness/judge/unsteady.hpp"
#include "harness/peers/guard.hpp"
#include "harness/peers/localised.hpp"
#include "harness/peers/peers.hpp"
#include "harness/peers/shared_ends.hpp"
#include "harness/recognise/expectations.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::judge {
namespace {

using model::Outcome;

void require_share(double value, const char* field) {
  if (!(value > 0 && value < 1)) {
    throw std::invalid_argument(std::string("suite.policy.") + field +
                                " must lie between 0 and 1, but is " + std::to_string(value));
  }
}

const model::Report& checked(const model::Report& report) {
  require_policy(report.suite.policy);
  return report;
}

/// False when a vote changes nothing: what failed stays so, and what is waived as well unless its
/// own check, `by_check`, is the one that was outvoted.
bool condemn(const model::Verdict& verdict, bool by_check, cells::CellSummary& summary) {
  if (summary.outcome == Outcome::kFail) return false;
  const bool proven = by_check && verdict.outcome == Outcome::kFail;
  if (summary.outcome == Outcome::kWaived && !proven) return false;
  if (summary.outcome == Outcome::kUntested && verdict.outcome == Outcome::kUntested) return false;
  summary.outcome = verdict.outcome;
  summary.trusted = false;
  return true;
}

}  // namespace

void require_policy(const model::JudgePolicy& policy) {
  require_share(policy.confidence, "confidence");
  require_share(policy.family_alpha, "family_alpha");
  require_share(policy.discovery_rate, "discovery_rate");
  require_share(policy.peer_margin, "peer_margin");
}

model::Verdict CellJudge::Part::judge_cell(const model::Cell& cell) {
  const std::size_t before = judged_.size();
  try {
    judged_.reach(cell_judge_.failed_checks_.reached(cell));
    cells::Judgement judgement = cells::judge_cell(courses_, cell, words_);
    judged_.add(courses_, cell_judge_.votes_, cell_judge_.history_, cell, judgement);
    return std::move(judgement.verdict);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    judged_.add_failed(before, cell, error.what());
    return evidence::verdict(Outcome::kUntested, model::reason_id::kJudgeFailed,
                             std::string("this cell could not be judged: ") + error.what());
  }
}

CellJudge::CellJudge(const model::Report& report) : context_(checked(report)) {
  peers::guarded("history", findings_, [&] { history_ = evidence::OwnHistory(report); });
  peers::guarded("votes", findings_, [&] { votes_ = evidence::Votes(context_); });
  peers::guarded("failed-checks", findings_, [&] { failed_checks_ = FailedChecks(context_); });
}

void CellJudge::add(std::vector<cells::JudgedCells> parts) {
  std::size_t cells = judged_.size();
  for (const cells::JudgedCells& part : parts) cells += part.size();
  judged_.reserve(cells);
  for (cells::JudgedCells& part : parts) judged_.append(std::move(part));
}

void CellJudge::apply_votes() {
  struct Cells {
    std::vector<std::size_t> all;
    std::vector<std::size_t> proven;
  };
  std::vector<Cells> of_voter(votes_.condemned().size());
  for (const evidence::Reach& reach : judged_.reached()) {
    Cells& cells = of_voter[reach.voter];
    cells.all.push_back(reach.cell);
    if (reach.by_check) cells.proven.push_back(reach.cell);
  }
  for (std::size_t voter = 0; voter < of_voter.size(); ++voter) {
    const Cells& cells = of_voter[voter];
    const model::Verdict& verdict = votes_.condemned()[voter].verdict;
    const bool by_check = !cells.proven.empty();
    for (const std::size_t cell : by_check ? cells.proven : cells.all) {
      if (!condemn(verdict, by_check, judged_.summary(cell))) continue;
      amendments_[cell] = {verdict.outcome, verdict.reason_id, verdict.reason};
    }
  }
}

std::vector<model::Finding> CellJudge::localise(const cells::CellAt& at) {
  peers::Localised localised = peers::localise_links(context_, judged_, at);
  // What the links of a part that is named say of themselves is this, once more. What later numbers
  // have confirmed is more than this, and stays, as every verdict does.
  std::erase_if(findings_, [&](const model::Finding& finding) {
    return finding.id == model::finding_id::kPeerOutlier &&
           finding.severity < model::Severity::kError &&
           localised.links.contains({finding.step, finding.subject});
  });
  return std::move(localised.findings);
}

void CellJudge::decide(const cells::CellAt& at, const model::ForEach& for_each) {
  const auto apply = [this](const char* rule, const auto& findings_of) {
    peers::guarded(rule, findings_, [&] {
      const std::vector<model::Finding> findings = findings_of();
      findings_.insert(findings_.end(), findings.begin(), findings.end());
    });
  };
  if (judged_.failed() > 0) {
    findings_.push_back(peers::rule_failed(
        "limits", judged_.failed() == 1 ? judged_.failure()
                                        : fmt::format("{}; and to {} more cells", judged_.failure(),
                                                      judged_.failed() - 1)));
  }
  apply("shortfall", [&] { return find_shortfalls(context_.report()); });
  apply("planned", [&] { return evidence::planned_findings(context_.report()); });
  apply("expectations", [&] { return recognise::find_unmet(context_.report()); });
  apply("flaky", [&] { return find_flaky(context_.report()); });
  apply("flaky", [&] { return find_left_out(judged_); });
  apply("disturbed", [&] { return evidence::find_disturbed(context_.report()); });
  apply("votes", [&] {
    apply_votes();
    return votes_.findings();
  });
  apply("failed-checks", [&] { return failed_checks_.condemn(judged_, amendments_); });
  apply("unsteady",
        [&] { return find_unsteady(context_.report().suite.policy, judged_, at, amendments_); });
  apply("implausible", [&] { return cells::find_implausible(judged_); });
  apply("peers",
        [&] { return peers::compare_peers(context_, judged_, at, amendments_, for_each); });
  apply("shared-ends", [&] { return peers::find_shared_ends(context_, judged_, at); });
  apply("localised", [&] { return localise(at); });
  apply("waivers", [&] { return apply_site_waivers(context_, judged_, at, amendments_); });
}

void CellJudge::conclude(model::Report& report, const cells::CellAt& at) const {
  std::erase_if(report.findings, [](const model::Finding& finding) {
    return std::find(kOwnFindings.begin(), kOwnFindings.end(), finding.id) != kOwnFindings.end();
  });
  report.findings.insert(report.findings.end(), findings_.begin(), findings_.end());
  try {
    judge::conclude(report, judged_, at);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    report.findings.push_back(peers::rule_failed("acceptance", error.what()));
    report.acceptance = model::Acceptance::kIncomplete;
    report.acceptance_reason = "nothing was concluded";
  }
  peers::hold_back(report);
}

}  // namespace rackproof::judge
