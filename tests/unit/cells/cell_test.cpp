#include "harness/cells/cell.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/judge/builder.hpp"

namespace cells = rackproof::cells;
namespace contract = rackproof::contract;
namespace ending = rackproof::model::ending;
namespace evidence = rackproof::evidence;
namespace model = rackproof::model;
using contract::Better;
using contract::Statistic;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

cells::Judgement look(const model::Report& report) {
  const evidence::Context context(report);
  evidence::Courses courses(context);
  return cells::judge_cell(courses, report.cells.at(0));
}

void check(const model::Report& report, Outcome outcome, const std::string& id) {
  const model::Verdict verdict = look(report).verdict;
  INFO(verdict.reason);
  CHECK(verdict.outcome == outcome);
  CHECK(verdict.reason_id == id);
  CHECK_FALSE(verdict.reason.empty());
}

model::Report less_is_better(double value) {
  model::Report report = one_cell(value);
  report.cells[0].measurements[0].better = Better::kLess;
  report.platforms[0].baselines[0].tolerance_above = 0.1;
  return report;
}

}  // namespace

TEST_CASE("a number at the limit passes, the next smaller one fails") {
  const double limit = 100 * (1 - 0.1);
  model::Report report = one_cell();
  model::Measurement& one = report.cells[0].measurements[0];
  one.samples = {limit};
  check(report, Outcome::kPass, "within-limits");
  one.samples = {std::nextafter(limit, 0.0)};
  check(report, Outcome::kFail, "below-limit");
  one.samples = {1e18};
  check(report, Outcome::kPass, "within-limits");
  report.platforms[0].baselines[0].tolerance_above = 0.25;
  check(report, Outcome::kFail, "above-limit");
  CHECK(look(report).verdict.reason.find("clock") != std::string::npos);
  one.samples = {125};
  check(report, Outcome::kPass, "within-limits");
  one.samples = {std::nextafter(125.0, 200.0)};
  check(report, Outcome::kFail, "above-limit");
}

TEST_CASE("where less is better the sides change places") {
  const double high = 100 * (1 + 0.1);
  model::Report report = less_is_better(100);
  model::Measurement& one = report.cells[0].measurements[0];
  one.samples = {high};
  check(report, Outcome::kPass, "within-limits");
  one.samples = {std::nextafter(high, 200.0)};
  check(report, Outcome::kFail, "above-limit");
  CHECK(look(report).verdict.reason.find("clock") == std::string::npos);
  one.samples = {100 * (1 - 0.1)};
  check(report, Outcome::kPass, "within-limits");
  one.samples = {std::nextafter(100 * (1 - 0.1), 0.0)};
  check(report, Outcome::kFail, "below-limit");
  CHECK(look(report).verdict.reason.find("clock") != std::string::npos);
}

TEST_CASE("the verdict carries the numbers that it rests on") {
  const model::Verdict verdict = look(one_cell(95)).verdict;
  CHECK(verdict.observed == Approx(95));
  CHECK(verdict.statistic == Statistic::kMedian);
  CHECK(verdict.limit_low == 90.0);
  CHECK_FALSE(verdict.limit_high);
  CHECK(*verdict.ratio == Approx(0.95));
  CHECK(*verdict.interval_low < 95);
  CHECK(*verdict.interval_high > 95);
  CHECK(verdict.confidence == 0.95);
  CHECK(verdict.baseline == "box/triad");
}

TEST_CASE("the statistic is the baseline's, over all attempts") {
  model::Report report = one_cell();
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2", 50));
  model::Baseline& one = report.platforms[0].baselines[0];
  one.statistic = Statistic::kBest;
  check(report, Outcome::kPass, "within-limits");
  CHECK(look(report).verdict.observed == 101.0);
  one.statistic = Statistic::kWorst;
  check(report, Outcome::kFail, "below-limit");
  CHECK(look(report).verdict.observed == 49.5);
  CHECK_FALSE(look(report).verdict.interval_low);
  one.statistic = Statistic::kMedian;
  CHECK(look(report).verdict.observed == Approx((99 + 50.5) / 2));
  one.statistic = Statistic::kValue;
  CHECK(look(report).verdict.observed == 50.0);
}

TEST_CASE("a waiver excuses what is missing, slow or broken") {
  model::Report report = one_cell(1);
  report.cells[0].waived = "needs two nodes";
  check(report, Outcome::kWaived, "waived-by-suite");
  CHECK(look(report).verdict.reason == "needs two nodes");
  report.cells[0].waived.clear();
  check(report, Outcome::kFail, "below-limit");
  report.cells[0].parameters = {{"bytes", std::int64_t{8}}};
  report.platforms[0].waivers = {{"stream.*", {{"bytes", std::int64_t{16}}}, "known slow"}};
  check(report, Outcome::kFail, "below-limit");
  report.platforms[0].waivers[0].parameters["bytes"] = std::int64_t{8};
  check(report, Outcome::kWaived, "waived-by-platform");
  report.attempts[0].ending = ending::Signalled{11};
  check(report, Outcome::kWaived, "waived-by-platform");
}

TEST_CASE("a waiver does not excuse a wrong answer of the cell itself") {
  model::Report report = one_cell(1);
  report.attempts[0].checks = {bad_check()};
  report.attempts[0].ending = ending::Completed{4};
  report.cells[0].waived = "needs two nodes";
  check(report, Outcome::kFail, "wrong-answer");
  report.cells[0].waived.clear();
  report.platforms[0].waivers = {{"stream.*", {}, "known slow"}};
  check(report, Outcome::kFail, "wrong-answer");
  // Nothing says that the wrong answer was about what was not measured.
  report.cells[0].measurements.clear();
  check(report, Outcome::kWaived, "waived-by-platform");
}

TEST_CASE("without a measurement the ending of the last attempt decides") {
  model::Report report = one_cell();
  report.cells[0].measurements.clear();
  check(report, Outcome::kUntested, "no-result");
  report.attempts[0].ending = ending::TimedOut{};
  check(report, Outcome::kUntested, "timed-out");
  report.attempts.push_back(attempt(2));
  report.attempts[1].ending = ending::Signalled{6};
  check(report, Outcome::kUntested, "signalled");
  report.attempts.push_back(attempt(3));
  check(report, Outcome::kUntested, "no-result");
  report.attempts.clear();
  check(report, Outcome::kUntested, "not-started");
  report.steps[0].state = model::StepState::kSkipped;
  report.steps[0].reason = {model::StepReason::kTimeBudget};
  check(report, Outcome::kUntested, "time-budget");
}

TEST_CASE("every ending but a clean one leaves the cell untested, with and without a number") {
  const std::vector<model::Ending> endings = {
      ending::Completed{1},     ending::Completed{2},     ending::Completed{3},
      ending::Completed{5},     ending::Completed{99},    ending::Signalled{11},
      ending::TimedOut{},       ending::Cancelled{},      ending::SpawnFailed{},
      ending::Leaked{0, "pid"}, ending::Truncated{0, ""}, ending::Garbled{0, ""},
      ending::Wedged{},         ending::RankLost{}};
  for (const model::Ending& end : endings) {
    model::Report report = one_cell();
    report.attempts[0].ending = end;
    CHECK(look(report).verdict.outcome == Outcome::kUntested);
    report.cells[0].measurements.clear();
    CHECK(look(report).verdict.outcome == Outcome::kUntested);
  }
}

TEST_CASE("not available waives only where the step says so, and only without a number") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Completed{3};
  report.steps[0].unavailable_waives = true;
  check(report, Outcome::kUntested, "unavailable");
  report.cells[0].measurements.clear();
  check(report, Outcome::kWaived, "unavailable");
  report.attempts[0].fault_injected = "flip";
  check(report, Outcome::kUntested, "unavailable");
  report.attempts[0].fault_injected.clear();
  report.steps[0].unavailable_waives = false;
  check(report, Outcome::kUntested, "unavailable");
  report.steps[0].unavailable_waives = true;
  report.attempts.push_back(attempt(2));
  report.attempts[1].ending = ending::Signalled{11};
  check(report, Outcome::kUntested, "signalled");
}

TEST_CASE("what a run cut short says nothing of being available") {
  model::Report report = one_cell();
  report.steps[0].unavailable_waives = true;
  report.cells[0].measurements.clear();
  const auto cancelled = [](model::CancelReason why) { return ending::Cancelled{{why, ""}}; };
  report.attempts[0].ending = cancelled(model::CancelReason::kInterrupted);
  CHECK(look(report).verdict.outcome == Outcome::kUntested);
  // The run goes on, and asks again.
  report.attempts.push_back(attempt(2));
  report.attempts[1].ending = ending::Completed{3};
  check(report, Outcome::kWaived, "unavailable");
  // Cut short for another reason than the run's own.
  report.attempts[0].ending = cancelled(model::CancelReason::kRankLost);
  CHECK(look(report).verdict.outcome == Outcome::kUntested);
}

TEST_CASE("a number that nobody verified is no result") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].check = {};
  check(report, Outcome::kUntested, "unverified");
  report.cells[0].measurements[0].check = good_check();
  report.cells[0].measurements[0].check.compared = 0;
  check(report, Outcome::kUntested, "unverified");
}

TEST_CASE("zero, negative and endless numbers are no result") {
  for (const double bad : {0.0, -0.0, -5.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    model::Report report = one_cell();
    report.cells[0].measurements[0].value = bad;
    check(report, Outcome::kUntested, "bad-number");
    report = one_cell();
    report.cells[0].measurements[0].samples[4] = bad;
    check(report, Outcome::kUntested, "bad-number");
  }
}

TEST_CASE("attempts that do not measure the same thing are not judged together") {
  model::Report report = one_cell();
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2"));
  report.cells[0].measurements[1].unit = "s";
  check(report, Outcome::kUntested, "inconsistent");
  report.cells[0].measurements[1] = measurement("a2");
  report.cells[0].measurements[1].better = Better::kLess;
  check(report, Outcome::kUntested, "inconsistent");
}

TEST_CASE("with a test-only fault nothing passes, and what is caught fails") {
  model::Report report = one_cell();
  report.attempts[0].fault_injected = "bit 3 of element 7";
  check(report, Outcome::kUntested, "fault-injected");
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2"));
  check(report, Outcome::kUntested, "fault-injected");
  report.cells[0].measurements[0].check = bad_check();
  check(report, Outcome::kFail, "wrong-answer");
}

TEST_CASE("without a baseline the number is kept and not judged") {
  model::Report report = one_cell();
  report.platforms[0].baselines.clear();
  check(report, Outcome::kUnjudged, "no-baseline");
  CHECK(look(report).verdict.observed == Approx(100));
  CHECK(look(report).verdict.baseline.empty());
  report.platform_of_host.clear();
  check(report, Outcome::kUnjudged, "no-platform");
  report = one_cell();
  report.platforms[0].baselines[0].unit = "s";
  check(report, Outcome::kUnjudged, "unit-mismatch");
}

TEST_CASE("a correctness baseline says that only correctness was judged") {
  model::Report report = one_cell(1e-3);
  report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  check(report, Outcome::kVerified, "verified-generic");
  CHECK(look(report).verdict.reason.find("only correctness") != std::string::npos);
  CHECK(look(report).verdict.baseline == "box/triad");
  CHECK_FALSE(look(report).verdict.limit_low);
}

TEST_CASE("a statistic that the bench did not give leaves the cell untested") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].samples.clear();
  check(report, Outcome::kPass, "within-limits");
  CHECK_FALSE(look(report).verdict.interval_low);
  report.platforms[0].baselines[0].statistic = Statistic::kWorst;
  check(report, Outcome::kUntested, "no-samples");
}

TEST_CASE("a demanded condition decides before the number") {
  model::Report report = one_cell(100);
  report.platforms[0].baselines[0].demand = {{"transports", std::string("P2P*")}};
  CHECK(judged(report).outcome == model::Outcome::kUnjudged);
  CHECK(judged(report).reason_id == "condition-unknown");
  report.cells[0].measurements[0].conditions = {{"transports", std::string("SHM")}};
  CHECK(judged(report).outcome == model::Outcome::kFail);
  CHECK(judged(report).reason_id == "condition-differs");
  CHECK(judged(report).reason.find("SHM") != std::string::npos);
  report.cells[0].measurements[0].conditions = {{"transports", std::string("P2P/CUMEM")}};
  CHECK(judged(report).outcome == model::Outcome::kPass);
}

TEST_CASE("what is to be measured three times is no pass after two") {
  model::Report report = one_cell(100);
  CHECK(judged(report).outcome == Outcome::kPass);
  report.steps[0].repeat = 2;
  const model::Verdict seldom = judged(report);
  CHECK(seldom.outcome == Outcome::kUntested);
  CHECK(seldom.reason_id == "not-repeated");
  CHECK(seldom.reason == "measured 1 of the 2 times that the suite asks for");
  // A number below its limit fails however often it was measured.
  model::Report slow = one_cell(50);
  slow.steps[0].repeat = 2;
  CHECK(judged(slow).outcome == Outcome::kFail);
}

TEST_CASE("a limit inside the interval is judged by the rule of the suite") {
  // Samples 89.1 to 90.9, limit 90.
  model::Report report = one_cell(90);
  report.steps[0].attempts_allowed = 3;
  const model::Verdict fail = judged(report);
  CHECK(fail.outcome == Outcome::kFail);
  CHECK(fail.reason_id == "straddles-limit");
  CHECK(fail.reason.find("after 1 of 3 attempts") != std::string::npos);
  CHECK(fail.reason.find("rule for this is fail") != std::string::npos);
  CHECK(fail.limit_low);
  CHECK(fail.interval_low);
  report.suite.policy.straddle = model::Straddle::kPass;
  CHECK(judged(report).outcome == Outcome::kPass);
  CHECK(judged(report).reason_id == "straddles-limit");
  report.suite.policy.straddle = model::Straddle::kUnjudged;
  CHECK(judged(report).outcome == Outcome::kUnjudged);
}

TEST_CASE("a clear number is judged whatever the rule for an unclear one") {
  for (const auto rule : {model::Straddle::kFail, model::Straddle::kPass}) {
    model::Report good = one_cell(100);
    good.suite.policy.straddle = rule;
    CHECK(judged(good).reason_id == "within-limits");
    model::Report bad = one_cell(80);
    bad.suite.policy.straddle = rule;
    CHECK(judged(bad).reason_id == "below-limit");
  }
}

TEST_CASE("a statistic without interval is judged by the number and says so") {
  model::Report report = one_cell(90.5);
  report.platforms[0].baselines[0].statistic = contract::Statistic::kWorst;
  const model::Verdict worst = judged(report);
  CHECK(worst.reason_id == "below-limit");
  CHECK(worst.reason.find("no interval") != std::string::npos);
  report.platforms[0].baselines[0].statistic = contract::Statistic::kMedian;
  report.cells[0].measurements[0].samples = {90.4, 90.5, 90.6};
  const model::Verdict few = judged(report);
  CHECK(few.reason_id == "within-limits");
  CHECK(few.reason.find("too few samples for an interval") != std::string::npos);
}
