#include "harness/evidence/steadiness.hpp"

#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace evidence = rackproof::evidence;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

/// One cell whose samples lie `ratio` apart, half of them here and half there, and whose bench lets
/// 2 pass.
model::Report scattered(double ratio, double value = 100) {
  model::Report report = one_cell(value);
  report.steps[0].backend = "host";
  model::MetricBound bound{kMetric, {"host"}, {}, "B/s", contract::Better::kMore, {}, 1e6, "any"};
  bound.spread = 2;
  report.bounds = {bound};
  report.platforms[0].baselines[0].statistic = contract::Statistic::kBest;
  model::Measurement& measurement = report.cells[0].measurements[0];
  measurement.statistic = contract::Statistic::kBest;
  measurement.samples.assign(10, value);
  for (int i = 0; i < 5; ++i) measurement.samples[i] = value / ratio;
  return report;
}

}  // namespace

TEST_CASE("quartiles of few samples, or of what is no rate, say nothing") {
  CHECK(evidence::quartile_ratio({}) == 1);
  CHECK(evidence::quartile_ratio({1, 100, 1, 100, 1, 100, 1}) == 1);
  CHECK(evidence::quartile_ratio({1, 100, 1, 100, 1, 100, 1, 100}) == 100);
  CHECK(evidence::quartile_ratio({100, 1, 1, 1, 1, 1, 1, 1}) == 1);
  CHECK(evidence::quartile_ratio({0, 0, 0, 1, 1, 1, 1, 1}) == 1);
}

TEST_CASE("what scatters is no pass, and measured again") {
  CHECK(judged(scattered(1.9)).outcome == Outcome::kPass);
  CHECK_FALSE(in_doubt(scattered(1.9)));
  model::Report report = scattered(4);
  CHECK(in_doubt(report));
  judge::judge(report);
  const model::Verdict& verdict = report.cells[0].verdict;
  CHECK(verdict.outcome == Outcome::kUntested);
  CHECK(verdict.reason_id == "disturbed");
  CHECK(verdict.reason ==
        "the third quartile of its 10 samples, 100 B/s, is 4 times the first, 25 B/s, where "
        "stream.triad is 2 times at most on a machine that nothing disturbs");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.starts_with("one number scatters or contradicts others; "));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "unsteady");
  CHECK(report.findings[0].step == kStep);
}

TEST_CASE("nor where only correctness would be judged, or nothing") {
  model::Report report = scattered(4);
  report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  CHECK(judged(report).outcome == Outcome::kUntested);
  report.platforms[0].baselines.clear();
  CHECK(judged(report).outcome == Outcome::kUntested);
}

TEST_CASE("what fails although it scatters fails") {
  CHECK(judged(scattered(4, 50)).outcome == Outcome::kFail);
  CHECK(in_doubt(scattered(4, 50)));
}

TEST_CASE("a steady attempt counts, whichever came first") {
  for (const bool first : {true, false}) {
    INFO(first);
    model::Report report = scattered(4);
    report.attempts.push_back(attempt(2));
    model::Measurement steady = measurement("a2", 100);
    steady.statistic = contract::Statistic::kBest;
    steady.value = 101;
    auto& all = report.cells[0].measurements;
    all.insert(first ? all.begin() : all.end(), steady);
    CHECK(judged(report).outcome == Outcome::kPass);
    CHECK_FALSE(in_doubt(report));
  }
}

TEST_CASE("without a word of the bench, or a large one, a factor of 8 is absurd") {
  const auto said = [](double ratio, double spread, const char* backend) {
    model::Report report = scattered(ratio);
    report.bounds[0].spread = spread;
    report.bounds[0].backends = {backend};
    return judged(report).outcome;
  };
  CHECK(said(4, 0, "host") == Outcome::kPass);
  CHECK(said(4, 2, "cuda") == Outcome::kPass);
  CHECK(said(9, 0, "host") == Outcome::kUntested);
  CHECK(said(9, 100, "host") == Outcome::kUntested);
}

TEST_CASE("where disturbances are ignored samples may scatter") {
  model::Report report = scattered(9);
  report.suite.policy.disturbed = model::Disturbed::kIgnore;
  CHECK(judged(report).outcome == Outcome::kPass);
  CHECK_FALSE(in_doubt(report));
}

TEST_CASE("what failed while it scattered is told, though a steady attempt passes") {
  model::Report report = scattered(4, 50);
  report.attempts.push_back(attempt(2));
  model::Measurement steady = measurement("a2", 100);
  steady.statistic = contract::Statistic::kBest;
  steady.value = 101;
  report.cells[0].measurements.push_back(steady);
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "flaky");
  CHECK(report.findings[0].step == kStep);
  CHECK(report.findings[0].text ==
        "in 1 cell an attempt whose samples scatter fails, and a steady one was judged instead; "
        "first stream.triad: best 50 B/s is below the limit 90 B/s (0.5 of the expected 100 B/s, "
        "which has no interval)");
  // What would have passed as well is no news.
  report = scattered(4);
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(steady);
  judge::judge(report);
  CHECK(report.findings.empty());
}

TEST_CASE("what is unsteady has a second attempt, whatever the suite allows") {
  CHECK(judge::attempts_of(judge::Doubt::kUnsteady, 1) == 2);
  CHECK(judge::attempts_of(judge::Doubt::kUnsteady, 3) == 3);
  CHECK(judge::attempts_of(judge::Doubt::kUndecided, 1) == 1);
  const auto doubtful = judge::find_doubtful(scattered(4), kStep);
  CHECK(doubtful == std::vector{judge::Doubtful{0, judge::Doubt::kUnsteady}});
  CHECK(judge::find_doubtful(one_cell(90), kStep) ==
        std::vector{judge::Doubtful{0, judge::Doubt::kUndecided}});
  CHECK(judge::find_doubtful(scattered(4), "another-step").empty());
}
