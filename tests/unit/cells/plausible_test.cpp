#include "harness/cells/plausible.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

constexpr const char* kPeak = "peak.memory_bytes_per_second";

model::MetricBound peak(std::vector<std::string> facts, double most = 1) {
  return {kMetric, {"host"}, {}, "B/s", contract::Better::kMore, std::move(facts), most, ""};
}

/// One cell of 100 B/s that its table accepts, on a machine whose table states this peak.
model::Report with_peak(double of, double value = 100) {
  model::Report report = one_cell(value);
  report.steps[0].backend = "host";
  report.platforms[0].facts[kPeak] = of;
  report.bounds = {peak({kPeak})};
  return report;
}

}  // namespace

TEST_CASE("a number above the peak that the table states is untested, with a finding") {
  CHECK(judged(with_peak(100)).outcome == Outcome::kPass);
  model::Report report = with_peak(33);
  judge::judge(report);
  const model::Verdict& verdict = report.cells[0].verdict;
  CHECK(verdict.outcome == Outcome::kUntested);
  CHECK(verdict.reason_id == "implausible");
  CHECK(verdict.reason.find("peak.memory_bytes_per_second, 33 B/s") != std::string::npos);
  CHECK(verdict.observed == 100.0);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "implausible");
  CHECK(report.findings[0].severity == model::Severity::kError);
  CHECK(report.findings[0].evidence.at("cells") == contract::Scalar(std::int64_t{1}));
}

TEST_CASE("clocks above those of the data sheet are let pass, and the share of a peak counts") {
  CHECK(judged(with_peak(92)).outcome == Outcome::kPass);
  CHECK(judged(with_peak(90)).outcome == Outcome::kUntested);
  model::Report report = with_peak(100);
  report.bounds[0].most = 0.5;
  CHECK(judged(report).outcome == Outcome::kUntested);
  report.bounds[0].most = 2;
  CHECK(judged(report).outcome == Outcome::kPass);
}

TEST_CASE("the inventory states peaks as well, the first fact that is known counts") {
  model::Report report = with_peak(1000);
  report.platforms[0].facts.clear();
  report.nodes[0].facts["own.peak"] = {contract::Scalar(50.0), "computed", ""};
  report.bounds = {peak({kPeak, "own.peak"})};
  CHECK(judged(report).reason_id == "implausible");
  report.platforms[0].facts[kPeak] = 1000.0;
  CHECK(judged(report).outcome == Outcome::kPass);
}

TEST_CASE("where no peak is known, what the metric is on any machine bounds it") {
  model::Report report = with_peak(1000);
  report.platforms[0].facts.clear();
  report.bounds = {peak({kPeak}), peak({}, 99)};
  CHECK(judged(report).reason_id == "implausible");
  report.bounds[1].most = 101;
  CHECK(judged(report).outcome == Outcome::kPass);
}

TEST_CASE("a metric that no list knows is bounded by its unit") {
  model::Report report = one_cell(1e18);
  report.platforms[0].baselines[0].expected = 1e18;
  CHECK(judged(report).outcome == Outcome::kPass);
  report = one_cell(1e20);
  report.platforms[0].baselines[0].expected = 1e20;
  CHECK(judged(report).reason_id == "implausible");
}

TEST_CASE("a time that is too short cannot be, however long it is let be") {
  model::Report report = with_peak(1000, 0.7e-9);
  report.cells[0].measurements[0].unit = "s";
  report.cells[0].measurements[0].better = contract::Better::kLess;
  model::Baseline& baseline = report.platforms[0].baselines[0];
  baseline.unit = "s";
  baseline.expected = 1;
  baseline.tolerance_below.reset();
  baseline.tolerance_above = 0.1;
  report.bounds = {{kMetric, {"host"}, {}, "s", contract::Better::kLess, {}, 1e-8, "too near"}};
  CHECK(judged(report).reason_id == "implausible");
  report.cells[0].measurements[0].value = 1e-6;
  report.cells[0].measurements[0].samples = samples_around(1e-6);
  CHECK(judged(report).outcome == Outcome::kPass);
}

TEST_CASE("bounds are for their backends and parameters") {
  model::Report report = with_peak(33);
  report.bounds[0].backends = {"cuda"};
  CHECK(judged(report).outcome == Outcome::kPass);
  report = with_peak(33);
  report.bounds[0].where = {{"direction", std::string("one")}};
  CHECK(judged(report).outcome == Outcome::kPass);
  report.cells[0].parameters = {{"direction", std::string("one")}};
  CHECK(judged(report).reason_id == "implausible");
}

TEST_CASE("another unit, or another better side, than the bench's list says is no number") {
  model::Report report = with_peak(1000);
  report.bounds[0].unit = "FLOP/s";
  CHECK(judged(report).reason_id == "inconsistent");
  report = with_peak(1000);
  report.bounds[0].better = contract::Better::kLess;
  CHECK(judged(report).reason_id == "inconsistent");
}

TEST_CASE("a value beside its samples is held too, and so is what only correctness judges") {
  model::Report report = with_peak(110);
  report.cells[0].measurements[0].value = 300;
  CHECK(judged(report).reason_id == "implausible");
  report = with_peak(33);
  report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  CHECK(judged(report).reason_id == "implausible");
}

TEST_CASE("a better number is never judged better once it is above the peak") {
  for (double factor = 1; factor < 1e30; factor *= 3) {
    const model::Verdict verdict = judged(with_peak(100, 100 * factor));
    INFO(factor);
    CHECK((factor == 1) == (verdict.outcome == Outcome::kPass));
  }
}
