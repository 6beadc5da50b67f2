// Laws of the judge over random reports: RapidCheck makes several steps, hosts, endings, checks and
// numbers, and shrinks what breaks a law.
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace ending = rackproof::model::ending;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

model::Ending random_ending() {
  // Mostly good, so that every rule is reached.
  return *rc::gen::weightedElement<model::Ending>(
      {{12, ending::Completed{0}},
       {1, ending::Completed{4}},
       {1, ending::Completed{3}},
       {1, ending::Completed{5}},
       {1, ending::Signalled{11}},
       {1, ending::TimedOut{}},
       {1, ending::Cancelled{model::CancelReason::kInterrupted}},
       {1, ending::Leaked{}},
       {1, ending::Truncated{}},
       {1, ending::RankLost{}}});
}

bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }

double random_value() { return *rc::gen::inRange(1, 2000) / 10.0; }

void add_cell(model::Report& report, const std::string& step, const std::string& host) {
  model::Cell result = cell(node(host));
  result.step = step;
  result.required = !one_in(5);
  if (one_in(12)) result.waived = "not here";
  const int attempts = *rc::gen::inRange(0, 4);
  for (int number = 1; number <= attempts; ++number) {
    model::Attempt one = attempt(number, host);
    one.step = step;
    one.nonce = step + "." + one.nonce;
    one.ending = random_ending();
    if (one_in(12)) one.checks.push_back(bad_check(one_in(2) ? "triad" : "copy"));
    if (one_in(15)) one.fault_injected = "flip";
    if (one_in(6)) one.load = taken(*rc::gen::inRange(0, 10) / 10.0);
    if (!one_in(5)) {
      result.measurements.push_back(measurement(one.nonce, random_value()));
      if (one_in(10)) result.measurements.back().check.compared = 0;
      if (one_in(10)) result.measurements.back().samples.clear();
    }
    report.attempts.push_back(one);
  }
  report.cells.push_back(result);
}

model::Report random_report() {
  model::Report report = empty_report();
  report.run.interrupted = one_in(6);
  report.suite.policy.peer_outlier_fails = one_in(2);
  model::Baseline one = baseline();
  one.expected = random_value();
  one.statistic = *rc::gen::element(contract::Statistic::kBest, contract::Statistic::kMedian,
                                    contract::Statistic::kWorst, contract::Statistic::kValue);
  if (!one_in(6)) report.platforms[0].baselines = {one};
  report.steps.push_back(report.steps[0]);
  report.steps[1].id = "second";
  report.steps[1].unavailable_waives = true;
  const int hosts = *rc::gen::inRange(1, 8);
  for (int i = 0; i < hosts; ++i) {
    const std::string host = "n" + std::to_string(i);
    report.platform_of_host[host] = kPlatform;
    add_cell(report, kStep, host);
    add_cell(report, "second", host);
  }
  return report;
}

/// fail < untested < unjudged < verified < pass; a waiver does not depend on numbers.
int rank_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFail:
      return 0;
    case Outcome::kUntested:
      return 1;
    case Outcome::kUnjudged:
      return 2;
    case Outcome::kVerified:
      return 3;
    case Outcome::kPass:
      return 4;
    case Outcome::kWaived:
      return 5;
  }
  return 0;
}

void law(const std::string& name, const std::function<void()>& body) {
  CHECK(rc::check(name, body));
}

}  // namespace

TEST_CASE("law: judging twice is judging once") {
  law("idempotent", [] {
    model::Report once = random_report();
    judge::judge(once);
    model::Report twice = once;
    judge::judge(twice);
    RC_ASSERT(once == twice);
  });
}

TEST_CASE("law: a pass has a clean, verified, positive number and no fault") {
  law("silence never passes", [] {
    model::Report report = random_report();
    judge::judge(report);
    for (const model::Cell& one : report.cells) {
      RC_ASSERT(!one.verdict.reason_id.empty() && !one.verdict.reason.empty());
      if (one.verdict.outcome != Outcome::kPass) continue;
      RC_ASSERT(!one.measurements.empty());
      RC_ASSERT(one.verdict.observed && *one.verdict.observed > 0);
      RC_ASSERT(!one.verdict.baseline.empty());
      for (const model::Attempt& tried : report.attempts) {
        if (tried.step != one.step || tried.subject != one.subject) continue;
        RC_ASSERT(tried.fault_injected.empty());
        for (const model::CheckResult& check : tried.checks) {
          RC_ASSERT(check.name != "triad" || check.passed);
        }
      }
    }
  });
}

TEST_CASE("law: a cell without measurement never passes") {
  law("nothing measured", [] {
    model::Report report = random_report();
    const auto which = *rc::gen::inRange<std::size_t>(0, report.cells.size());
    report.cells[which].measurements.clear();
    judge::judge(report);
    const Outcome outcome = report.cells[which].verdict.outcome;
    RC_ASSERT(outcome != Outcome::kPass && outcome != Outcome::kUnjudged);
  });
}

TEST_CASE("law: worse numbers never improve the verdict of a cell") {
  law("monotone in the numbers", [] {
    model::Report report = random_report();
    report.suite.policy.peer_outlier_fails = false;
    model::Report worse = report;
    const auto which = *rc::gen::inRange<std::size_t>(0, report.cells.size());
    const double factor = *rc::gen::inRange(1, 100) / 100.0;
    for (model::Measurement& one : worse.cells[which].measurements) {
      one.value *= factor;
      for (double& sample : one.samples) sample *= factor;
    }
    judge::judge(report);
    judge::judge(worse);
    RC_ASSERT(rank_of(worse.cells[which].verdict.outcome) <=
              rank_of(report.cells[which].verdict.outcome));
  });
}

TEST_CASE("law: tightening a tolerance never turns a fail into a pass") {
  law("monotone in the tolerance", [] {
    model::Report report = random_report();
    model::Report tighter = report;
    for (model::Baseline& one : tighter.platforms[0].baselines) {
      one.tolerance_below = *one.tolerance_below * *rc::gen::inRange(0, 100) / 100.0;
    }
    judge::judge(report);
    judge::judge(tighter);
    for (std::size_t i = 0; i < report.cells.size(); ++i) {
      RC_ASSERT(rank_of(tighter.cells[i].verdict.outcome) <=
                rank_of(report.cells[i].verdict.outcome));
    }
    RC_ASSERT(tighter.acceptance != model::Acceptance::kAccepted ||
              report.acceptance == model::Acceptance::kAccepted);
  });
}

TEST_CASE("law: the order of attempts of other steps does not matter") {
  law("order free", [] {
    model::Report report = random_report();
    model::Report shuffled = report;
    // A stable sort by a random order of steps and hosts keeps the order inside each.
    const bool backwards = one_in(2);
    std::stable_sort(shuffled.attempts.begin(), shuffled.attempts.end(),
                     [backwards](const model::Attempt& a, const model::Attempt& b) {
                       const auto key = std::tie(a.step, a.host);
                       const auto other = std::tie(b.step, b.host);
                       return backwards ? other < key : key < other;
                     });
    judge::judge(report);
    judge::judge(shuffled);
    RC_ASSERT(report.cells == shuffled.cells);
    RC_ASSERT(report.findings == shuffled.findings);
    RC_ASSERT(report.acceptance_reason == shuffled.acceptance_reason);
  });
}

TEST_CASE("law: a wrong answer stays, whatever is measured after it") {
  law("no absolution", [] {
    model::Report report = random_report();
    const auto which = *rc::gen::inRange<std::size_t>(0, report.cells.size());
    model::Cell& one = report.cells[which];
    one.waived.clear();
    model::Attempt bad = attempt(1, one.subject.host);
    bad.step = one.step;
    bad.nonce = "wrong";
    bad.checks = {bad_check()};
    bad.ending = ending::Completed{4};
    report.attempts.insert(report.attempts.begin(), bad);
    one.measurements.push_back(measurement("wrong", 100));
    judge::judge(report);
    RC_ASSERT(report.cells[which].verdict.outcome == Outcome::kFail);
    RC_ASSERT(!report.cells[which].required || report.acceptance == model::Acceptance::kRejected);
  });
}

TEST_CASE("law: beside other programs nothing passes or fails by its number") {
  law("company", [] {
    model::Report quiet = random_report();
    for (model::Attempt& one : quiet.attempts) one.load = {};
    model::Report busy = quiet;
    for (model::Attempt& one : busy.attempts) one.load = taken(0.5);
    judge::judge(quiet);
    judge::judge(busy);
    for (std::size_t i = 0; i < busy.cells.size(); ++i) {
      const model::Verdict& verdict = busy.cells[i].verdict;
      RC_ASSERT(verdict.outcome != Outcome::kPass && verdict.outcome != Outcome::kUnjudged);
      const bool wrong = quiet.cells[i].verdict.reason_id == "wrong-answer";
      RC_ASSERT((verdict.outcome == Outcome::kFail) == wrong);
      RC_ASSERT(!wrong || verdict == quiet.cells[i].verdict);
    }
    RC_ASSERT(busy.attempts.empty() ||
              busy.acceptance_reason.find("disturbed") != std::string::npos);
    RC_ASSERT(busy.acceptance != model::Acceptance::kAccepted);
  });
}

TEST_CASE("law: accepted means that nothing required is missing") {
  law("acceptance", [] {
    model::Report report = random_report();
    judge::judge(report);
    if (report.acceptance != model::Acceptance::kAccepted) return;
    RC_ASSERT(!report.run.interrupted && report.run.completed);
    RC_ASSERT(report.required_counts.pass > 0);
    RC_ASSERT(report.required_counts.fail + report.required_counts.unjudged +
                  report.required_counts.untested ==
              0);
  });
}
