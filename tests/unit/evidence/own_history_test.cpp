#include "harness/evidence/own_history.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "harness/judge/judge.hpp"
#include "harness/peers/peers.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

const std::vector<double> kSteady = {100.2, 99.9, 100.0, 99.8, 100.1};

model::History history(const std::string& subject, double scale = 1) {
  model::History result;
  result.subject = subject;
  result.step = kStep;
  result.metric = kMetric;
  result.unit = "B/s";
  for (const double value : kSteady) result.values.push_back(value * scale);
  return result;
}

/// `n` hosts of their own speed, up to 10 % apart, each as in its earlier runs.
model::Report fleet_of(std::size_t n) {
  model::Report report = empty_report();
  report.suite.policy.peer_outlier_fails = true;
  report.platforms[0].baselines = {baseline()};
  report.platforms[0].baselines[0].expected = 50;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string host = "n" + std::to_string(i);
    const double scale = 1 + 0.02 * static_cast<double>(i % 6);
    report.platform_of_host[host] = kPlatform;
    report.attempts.push_back(attempt(1, host));
    report.cells.push_back(cell(node(host)));
    report.cells.back().measurements = {measurement(report.attempts.back().nonce, 100 * scale)};
    report.history.push_back(history(host, scale));
  }
  return report;
}

void slow_down(model::Cell& cell, double factor) {
  model::Measurement& one = cell.measurements[0];
  one.value *= factor;
  for (double& sample : one.samples) sample *= factor;
}

}  // namespace

TEST_CASE("a drop that its peers do not show is found in the own history") {
  model::Report report = fleet_of(16);
  judge::judge(report);
  CHECK(report.findings.empty());
  slow_down(report.cells[5], 0.96);
  confirm(report);
  judge::judge(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "history-drop");
  CHECK(report.findings[0].subject == "n5");
  CHECK(report.cells[5].verdict.outcome == Outcome::kFail);
  CHECK(report.cells[5].verdict.reason_id == "history-drop");
  report.suite.policy.peer_outlier_fails = false;
  judge::judge(report);
  CHECK(report.cells[5].verdict.outcome == Outcome::kPass);
  CHECK(report.findings[0].severity == model::Severity::kWarning);
}

TEST_CASE("what all parts have in common is no drop of one") {
  model::Report report = fleet_of(16);
  for (model::Cell& one : report.cells) slow_down(one, 0.96);
  judge::judge(report);
  CHECK(report.findings.empty());
}

TEST_CASE("a lone part is held against its own spread") {
  model::Report report = fleet_of(1);
  judge::judge(report);
  CHECK(report.findings.empty());
  slow_down(report.cells[0], 0.95);
  confirm(report);
  judge::judge(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.cells[0].verdict.reason_id == "history-drop");
}

TEST_CASE("a cell below its limit keeps that reason beside a drop") {
  model::Report report = fleet_of(16);
  report.platforms[0].baselines[0].expected = 110;
  slow_down(report.cells[0], 0.9);
  judge::judge(report);
  CHECK(report.cells[0].verdict.reason_id == "below-limit");
  CHECK(report.findings.size() == 1);
}

TEST_CASE("only earlier values of the very same thing count") {
  const auto findings = [](const auto& change) {
    model::Report report = fleet_of(1);
    slow_down(report.cells[0], 0.9);
    change(report.history[0]);
    judge::judge(report);
    return report.findings.size();
  };
  CHECK(findings([](model::History&) {}) == 1);
  CHECK(findings([](model::History& one) { one.subject = "other"; }) == 0);
  CHECK(findings([](model::History& one) { one.step = "other"; }) == 0);
  CHECK(findings([](model::History& one) { one.metric = "other"; }) == 0);
  CHECK(findings([](model::History& one) { one.unit = "s"; }) == 0);
  CHECK(findings([](model::History& one) { one.statistic = contract::Statistic::kBest; }) == 0);
  CHECK(findings([](model::History& one) { one.parameters["bytes"] = std::int64_t{8}; }) == 0);
  CHECK(findings([](model::History& one) { one.values.pop_back(); }) == 0);
  CHECK(findings([](model::History& one) { one.values[2] = 0; }) == 0);
  CHECK(findings([](model::History& one) {
          one.values[2] = std::numeric_limits<double>::infinity();
        }) == 0);
}

TEST_CASE("the history of a device goes by its UUID and not by its host") {
  model::Report report = fleet_of(1);
  report.cells[0].subject = device("n0", "GPU-1");
  slow_down(report.cells[0], 0.9);
  judge::judge(report);
  CHECK(report.findings.empty());
  report.history[0].subject = "GPU-1";
  judge::judge(report);
  CHECK(report.findings.size() == 1);
}
