#include "harness/judge/judge.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using model::Outcome;
using namespace rackproof::judge_test;

TEST_CASE("a run of one good cell is accepted") {
  model::Report report = one_cell();
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(report.counts.pass == 1);
  CHECK(report.findings.empty());
}

TEST_CASE("an empty report is incomplete") {
  model::Report report;
  judge::judge(report);
  CHECK(report.acceptance == Acceptance::kIncomplete);
}

TEST_CASE("a stricter table rejects the same numbers, a restored one accepts them again") {
  model::Report report = one_cell(95);
  judge::judge(report);
  const model::Report before = report;
  report.platforms[0].baselines[0].tolerance_below = 0.01;
  judge::judge(report);
  CHECK(report.acceptance == Acceptance::kRejected);
  CHECK(report.acceptance_reason.find("node1") != std::string::npos);
  report.platforms[0].baselines[0].tolerance_below = 0.1;
  judge::judge(report);
  CHECK(report == before);
}

TEST_CASE("own findings are replaced, others kept in place") {
  model::Report report = one_cell();
  model::Finding other;
  other.id = "ecc-errors";
  model::Finding stale;
  stale.id = "peer-outlier";
  model::Finding older;
  older.id = "flaky";
  report.findings = {stale, other, older};
  report.attempts.push_back(attempt(2));
  report.attempts[0].ending = model::ending::Signalled{11};
  judge::judge(report);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0] == other);
  CHECK(report.findings[1].id == "flaky");
  CHECK_FALSE(report.findings[1].text.empty());
}

TEST_CASE("an earlier verdict leaves nothing behind") {
  model::Report report = one_cell();
  judge::judge(report);
  report.cells[0].measurements.clear();
  judge::judge(report);
  model::Report fresh = one_cell();
  fresh.cells[0].measurements.clear();
  CHECK(report.cells[0].verdict == judged(fresh));
  CHECK_FALSE(report.cells[0].verdict.observed);
}

TEST_CASE("measurements that attempts still carry in memory change nothing") {
  model::Report report = one_cell();
  const model::Verdict without = judged(report);
  report.attempts[0].measurements = {measurement("a1", 1)};
  CHECK(judged(report) == without);
}

TEST_CASE("a policy outside its range is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, 1.0, 95.0, -1.0, nan}) {
    model::Report report = one_cell();
    report.suite.policy.confidence = bad;
    CHECK_THROWS_AS(judge::judge(report), std::invalid_argument);
    CHECK_THROWS_AS(in_doubt(report), std::invalid_argument);
    report = one_cell();
    report.suite.policy.family_alpha = bad;
    CHECK_THROWS_AS(judge::judge(report), std::invalid_argument);
  }
}

TEST_CASE("a limit inside the interval straddles") {
  // The 95 % interval of the median of ten samples is the second to the ninth: 0.992 to 1.008.
  CHECK(in_doubt(one_cell(90)));
  CHECK(in_doubt(one_cell(90.5)));
  CHECK(in_doubt(one_cell(89.5)));
  CHECK_FALSE(in_doubt(one_cell(100)));
  CHECK_FALSE(in_doubt(one_cell(80)));

  model::Report high = one_cell(125);
  high.platforms[0].baselines[0].tolerance_above = 0.25;
  CHECK(in_doubt(high));
  high.cells[0].measurements = {measurement("a1", 120)};
  CHECK_FALSE(in_doubt(high));
}

TEST_CASE("an interval that only touches a limit from the passing side does not straddle") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].samples.assign(10, 100 * (1 - 0.1));
  CHECK_FALSE(in_doubt(report));
  // From the failing side it does: the upper end would pass.
  report.cells[0].measurements[0].samples.assign(10, 80);
  for (int i = 0; i < 2; ++i) report.cells[0].measurements[0].samples[i] = 100 * (1 - 0.1);
  CHECK(in_doubt(report));
}

TEST_CASE("what is not judged by a number with an interval does not straddle") {
  const auto never = [](const auto& change) {
    model::Report report = one_cell(90);
    change(report);
    return !in_doubt(report);
  };
  CHECK(never([](model::Report& report) { report.cells[0].measurements[0].samples.resize(3); }));
  CHECK(never([](model::Report& report) {
    report.platforms[0].baselines[0].statistic = contract::Statistic::kBest;
  }));
  CHECK(never([](model::Report& report) {
    report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  }));
  CHECK(never([](model::Report& report) { report.platforms[0].baselines.clear(); }));
  CHECK(never([](model::Report& report) { report.cells[0].measurements.clear(); }));
  CHECK(never([](model::Report& report) { report.cells[0].waived = "not here"; }));
  CHECK(never([](model::Report& report) { report.attempts[0].checks = {bad_check()}; }));
}

TEST_CASE("straddling does not need an earlier judgement") {
  model::Report report = one_cell(90);
  const bool before = in_doubt(report);
  judge::judge(report);
  CHECK(in_doubt(report) == before);
}
