#include "harness/peers/peers.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

std::vector<double> healthy(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(100 + 0.1 * static_cast<double>(i % 5));
  return values;
}

/// A healthy fleet of `n` whose third host measured `value`.
model::Report with_odd(double value, std::size_t n = 16) {
  std::vector<double> values = healthy(n);
  values[2] = value;
  return fleet(values);
}

std::vector<model::Finding> outliers(model::Report report) {
  judge::judge(report);
  return report.findings;
}

}  // namespace

TEST_CASE("like values raise no finding") { CHECK(outliers(fleet(healthy(16))).empty()); }

TEST_CASE("a slow one among its peers is named, with its numbers") {
  const auto findings = outliers(with_odd(50));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "peer-outlier");
  CHECK(findings[0].subject == "n2");
  CHECK(findings[0].step == kStep);
  CHECK(findings[0].severity == model::Severity::kWarning);
  CHECK(findings[0].text.find("worse") != std::string::npos);
  CHECK(std::get<std::int64_t>(findings[0].evidence.at("n")) == 16);
  CHECK(std::get<double>(findings[0].evidence.at("value")) == Approx(50));
  CHECK(std::get<double>(findings[0].evidence.at("z")) < -10);
}

TEST_CASE("sets that are compared in any order, and at once, give the same findings") {
  const model::ForEach backwards = [](std::size_t count, const auto& work) {
    for (std::size_t i = count; i-- > 0;) work(i);
  };
  const model::ForEach at_once = [](std::size_t count, const auto& work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  };
  model::Report in_turn = with_odd(50);
  judge::judge(in_turn);
  REQUIRE(in_turn.findings.size() == 1);
  for (const model::ForEach& for_each : {backwards, at_once}) {
    model::Report report = with_odd(50);
    judge::judge(report, for_each);
    CHECK(report == in_turn);
  }
}

TEST_CASE("an outlier fails only on the bad side, and only if the suite says so") {
  model::Report report = with_odd(50);
  judge::judge(report);
  CHECK(report.cells[2].verdict.outcome == Outcome::kPass);
  CHECK(report.acceptance == model::Acceptance::kAccepted);

  report.suite.policy.peer_outlier_fails = true;
  confirm(report);
  judge::judge(report);
  CHECK(report.cells[2].verdict.outcome == Outcome::kFail);
  CHECK(report.cells[2].verdict.reason_id == "peer-outlier");
  CHECK(report.cells[2].verdict.limit_low);
  CHECK(report.cells[1].verdict.outcome == Outcome::kPass);
  CHECK(report.findings[0].severity == model::Severity::kError);
  CHECK(report.acceptance == model::Acceptance::kRejected);

  report = with_odd(200);
  report.suite.policy.peer_outlier_fails = true;
  confirm(report);
  judge::judge(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].severity == model::Severity::kInfo);
  CHECK(report.cells[2].verdict.outcome == Outcome::kPass);
}

TEST_CASE("where less is better a large number is the bad side") {
  model::Report report = with_odd(200);
  for (model::Cell& one : report.cells) one.measurements[0].better = contract::Better::kLess;
  report.platforms[0].baselines[0].expected = 1000;
  report.platforms[0].baselines[0].tolerance_below.reset();
  report.platforms[0].baselines[0].tolerance_above = 0.1;
  report.suite.policy.peer_outlier_fails = true;
  confirm(report);
  for (model::Cell& one : report.cells) {
    for (model::Measurement& again : one.confirmations) again.better = contract::Better::kLess;
  }
  judge::judge(report);
  CHECK(report.cells[2].verdict.reason_id == "peer-outlier");
}

TEST_CASE("an unjudged outlier may fail, and then counts") {
  model::Report report = with_odd(50);
  report.platforms[0].baselines.clear();
  report.suite.policy.peer_outlier_fails = true;
  confirm(report);
  judge::judge(report);
  CHECK(report.cells[2].verdict.reason_id == "peer-outlier");
  CHECK(report.cells[1].verdict.outcome == Outcome::kUnjudged);
  CHECK(report.required_counts.fail == 1);
}

TEST_CASE("a cell below its limit keeps that reason and gets the finding too") {
  model::Report report = with_odd(50);
  report.platforms[0].baselines[0].expected = 100;
  report.suite.policy.peer_outlier_fails = true;
  judge::judge(report);
  CHECK(report.cells[2].verdict.reason_id == "below-limit");
  CHECK(report.findings.size() == 1);
}

TEST_CASE("an untested cell is no peer and stays untested") {
  model::Report report = with_odd(50);
  report.suite.policy.peer_outlier_fails = true;
  report.attempts[2].ending = model::ending::Truncated{};
  judge::judge(report);
  CHECK(report.findings.empty());
  CHECK(report.cells[2].verdict.outcome == Outcome::kUntested);
}

TEST_CASE("too few peers are not compared") {
  CHECK(outliers(with_odd(1, 3)).empty());
  model::Report report = with_odd(1, 8);
  CHECK(outliers(report).size() == 1);
  report.suite.policy.peer_minimum = 9;
  CHECK(outliers(report).empty());
  report.suite.policy.peer_minimum = -1;
  CHECK(outliers(report).size() == 1);
}

TEST_CASE("unlike cells are not compared") {
  const auto count_with = [](const auto& change) {
    model::Report report = with_odd(50, 8);
    change(report);
    return outliers(report).size();
  };
  CHECK(count_with([](model::Report&) {}) == 1);
  CHECK(count_with([](model::Report& report) {
          report.platforms.push_back(report.platforms[0]);
          report.platforms[1].id = "other";
          report.platform_of_host["n2"] = "other";
        }) == 0);
  CHECK(count_with([](model::Report& report) {
          report.cells[2].parameters["bytes"] = std::int64_t{8};
        }) == 0);
  CHECK(count_with([](model::Report& report) { report.cells[2].subject = device("n2", "g0"); }) ==
        0);
  // The statistic that the baseline names counts; without a baseline, that of the measurement.
  const auto best = [](model::Report& report) {
    report.cells[2].measurements[0].statistic = contract::Statistic::kBest;
  };
  CHECK(count_with(best) == 1);
  CHECK(count_with([&best](model::Report& report) {
          best(report);
          report.platforms[0].baselines.clear();
        }) == 0);
  CHECK(count_with([](model::Report& report) { report.platform_of_host.erase("n2"); }) == 0);
}

TEST_CASE("noise among nearly equal values is below the floor") {
  std::vector<double> values(16, 100);
  values[2] = 99;
  CHECK(outliers(fleet(values)).empty());
}

TEST_CASE("more cells in the run make a finding less certain") {
  const auto adjusted = [](const model::Report& report) {
    return std::get<double>(outliers(report).at(0).evidence.at("adjusted_p"));
  };
  model::Report report = with_odd(50, 16);
  const double alone = adjusted(report);
  const std::size_t cells = report.cells.size();
  for (std::size_t i = 0; i < cells; ++i) {
    report.cells.push_back(report.cells[i]);
    report.cells.back().parameters["copy"] = true;
    report.cells.back().measurements[0] = report.cells[i % 2].measurements[0];
  }
  CHECK(outliers(report).size() == 1);
  CHECK(adjusted(report) > 0);
  CHECK(alone < 0.05);
}

TEST_CASE("a deficit within the margin is a finding and never fails") {
  // 4.5 % among values that agree to 0.1 %: certain, and allowed.
  model::Report report = with_odd(95.7, 72);
  report.suite.policy.peer_outlier_fails = true;
  confirm(report);
  judge::judge(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].severity == model::Severity::kWarning);
  CHECK(report.cells[2].verdict.outcome == Outcome::kPass);
  report.suite.policy.peer_margin = 0.03;
  judge::judge(report);
  CHECK(report.cells[2].verdict.outcome == Outcome::kFail);
  CHECK(report.findings[0].severity == model::Severity::kError);
}

TEST_CASE("uniform slowness is for the baseline and single slowness for the peers") {
  std::vector<double> slow = healthy(16);
  for (double& value : slow) value *= 0.85;
  model::Report uniform = fleet(slow);
  uniform.suite.policy.peer_outlier_fails = true;
  uniform.platforms[0].baselines[0].expected = 100;
  judge::judge(uniform);
  CHECK(uniform.counts.fail == 16);
  CHECK(uniform.cells[0].verdict.reason_id == "below-limit");
  CHECK(uniform.findings.empty());

  model::Report single = with_odd(92);
  single.suite.policy.peer_outlier_fails = true;
  confirm(single);
  single.platforms[0].baselines[0].expected = 100;
  judge::judge(single);
  CHECK(single.counts.fail == 1);
  CHECK(single.cells[2].verdict.reason_id == "peer-outlier");
}

TEST_CASE("two kinds of parts are one finding that names the slower group") {
  std::vector<double> values = healthy(20);
  for (const std::size_t slow : {1U, 5U, 9U, 13U}) values[slow] *= 0.96;
  model::Report report = fleet(values);
  report.suite.policy.peer_outlier_fails = true;
  const std::size_t cells = report.cells.size();
  for (std::size_t i = 0; i < cells; ++i) {
    report.cells.push_back(report.cells[i]);
    report.cells.back().parameters["copy"] = true;
  }
  judge::judge(report);
  CHECK(report.counts.pass == 40);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "bimodal-peers");
  CHECK(report.findings[0].severity == model::Severity::kError);
  CHECK(report.findings[0].subject == "n1, n13, n5, n9");
  CHECK(std::get<std::int64_t>(report.findings[0].evidence.at("slower")) == 4);
  CHECK(std::get<std::int64_t>(report.findings[0].evidence.at("metrics")) == 2);
  judge::judge(report);
  CHECK(report.findings.size() == 1);
}

TEST_CASE("extreme numbers give a score that a report can say") {
  const auto findings = outliers(with_odd(1e18));
  REQUIRE(findings.size() == 1);
  CHECK(std::get<double>(findings[0].evidence.at("z")) == 1e9);
}
