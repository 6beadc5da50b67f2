#include "harness/peers/suspects.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

/// A fleet in a suite that fails outliers.
model::Report hosts_with(const std::vector<double>& values) {
  model::Report report = fleet(values);
  report.suite.policy.peer_outlier_fails = true;
  return report;
}

using Places = std::vector<std::size_t>;

Places suspected(const model::Report& report) {
  Places places;
  for (const judge::Suspected& set : judge::find_suspects(report, kStep)) {
    places.insert(places.end(), set.cells.begin(), set.cells.end());
  }
  return places;
}

std::string outcomes_of(model::Report report) {
  judge::judge(report);
  std::string text;
  for (const model::Cell& one : report.cells) {
    text += one.verdict.outcome == Outcome::kPass ? 'p' : 'F';
  }
  return text;
}

std::vector<std::string> finding_ids(model::Report report) {
  judge::judge(report);
  std::vector<std::string> ids;
  for (const model::Finding& finding : report.findings) ids.push_back(finding.id);
  return ids;
}

}  // namespace

TEST_CASE("as a run gets on, each cell is judged once") {
  const std::vector<double> values = {100, 100, 100, 90, 100, 101};
  const model::Report one = hosts_with(values);
  model::Report report = one;
  report.cells.clear();
  report.steps.clear();
  report.attempts.clear();
  constexpr int kSteps = 12;
  for (int k = 0; k < kSteps; ++k) {
    const std::string id = "step" + std::to_string(k);
    model::StepInfo step = one.steps.front();
    step.id = id;
    report.steps.push_back(step);
    for (model::Attempt attempt : one.attempts) {
      attempt.step = id;
      attempt.nonce += id;
      report.attempts.push_back(attempt);
    }
    for (model::Cell cell : one.cells) {
      cell.step = id;
      cell.id += id;
      for (model::Measurement& said : cell.measurements) said.attempt += id;
      report.cells.push_back(cell);
    }
  }
  judge::SuspectFinder finder(report);
  for (const model::StepInfo& step : report.steps) {
    const auto found = finder.find(step.id);
    REQUIRE(found.size() == 1);
    // As if it had been asked for alone.
    CHECK(found.front().cells == judge::find_suspects(report, step.id).front().cells);
  }
  CHECK(finder.judged() == kSteps * values.size());
}

TEST_CASE("who is worse than the median of the others by more than the effect is a suspect") {
  CHECK(suspected(hosts_with({100, 100, 100, 97.2})).empty());
  CHECK(suspected(hosts_with({100, 100, 100, 96.8})) == Places{3});
  // Half of them: each is compared with the others, of which most are fast.
  CHECK(suspected(hosts_with({100, 92, 100, 92})) == Places{1, 3});
  CHECK(suspected(hosts_with({92, 92, 92, 100})).empty());
}

TEST_CASE("where less is better a large number is suspected") {
  model::Report report = hosts_with({100, 100, 100, 104});
  for (model::Cell& one : report.cells) one.measurements[0].better = contract::Better::kLess;
  report.platforms[0].baselines[0].expected = 1000;
  report.platforms[0].baselines[0].tolerance_below.reset();
  report.platforms[0].baselines[0].tolerance_above = 0.1;
  CHECK(suspected(report) == Places{3});
}

TEST_CASE("nobody is suspected where outliers do not fail, nothing confirms, or there are few") {
  model::Report report = hosts_with({100, 100, 100, 90});
  CHECK(suspected(report) == Places{3});
  report.suite.policy.peer_confirmations = 0;
  CHECK(suspected(report).empty());
  report.suite.policy.peer_confirmations = 3;
  report.suite.policy.peer_outlier_fails = false;
  CHECK(suspected(report).empty());
  CHECK(suspected(hosts_with({100, 100, 90})).empty());
  CHECK(judge::find_suspects(hosts_with({100, 100, 100, 90}), "other").empty());
}

TEST_CASE("who failed already is no suspect") {
  model::Report report = hosts_with({100, 100, 100, 80});
  report.platforms[0].baselines[0].expected = 100;
  CHECK(suspected(report).empty());
}

TEST_CASE("controls are of the better half, the nearest to the median first") {
  const auto sets = judge::find_suspects(hosts_with({103, 99, 101, 90, 102, 100}), kStep);
  REQUIRE(sets.size() == 1);
  CHECK(sets[0].cells == Places{3});
  CHECK(sets[0].controls == Places{2, 4, 0});
}

TEST_CASE("two groups of four and more are compared each by itself") {
  std::vector<double> values(20, 60);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (i < 12 ? 100 : 60) * (1 + 0.001 * static_cast<double>(i % 3));
  }
  CHECK(suspected(hosts_with(values)).empty());
  values[4] = 96;
  CHECK(suspected(hosts_with(values)) == Places{4});
}

TEST_CASE("small groups are compared each by itself where both are said to be right") {
  model::Report report = hosts_with({100, 92, 100, 92});
  report.suite.policy.accept_groups = "two lots of memory";
  CHECK(suspected(report).empty());
}

TEST_CASE("a suspect fails by its later values alone") {
  model::Report report = hosts_with({100, 100.1, 99.9, 93, 100, 100});
  confirm(report);
  CHECK(outcomes_of(report) == "pppFpp");
  CHECK(finding_ids(report) == std::vector<std::string>{"peer-outlier"});
  for (model::Measurement& again : report.cells[3].confirmations) {
    for (double& sample : again.samples) sample *= 100.0 / 93;
    again.value *= 100.0 / 93;
  }
  CHECK(outcomes_of(report) == "pppppp");
}

TEST_CASE("what the better half shows too is no matter of the suspect") {
  model::Report report = hosts_with({100, 100.1, 99.9, 96, 100, 100});
  confirm(report);
  // Measured alone all are 4 % slower: still 4 % between them.
  for (model::Cell& one : report.cells) {
    for (model::Measurement& again : one.confirmations) {
      for (double& sample : again.samples) sample *= 0.96;
      again.value *= 0.96;
    }
  }
  CHECK(outcomes_of(report) == "pppppp");
}

TEST_CASE("a part is named once for a step, with the worst of its results") {
  model::Report report = hosts_with({100, 100.1, 99.9, 93, 100, 100});
  const std::size_t cells = report.cells.size();
  for (std::size_t i = 0; i < cells; ++i) {
    model::Cell other = report.cells[i];
    other.metric = "stream.copy";
    other.measurements[0].metric = other.metric;
    if (i == 3) {
      for (double& sample : other.measurements[0].samples) sample *= 0.9;
      other.measurements[0].value *= 0.9;
    }
    report.cells.push_back(other);
  }
  report.platforms[0].baselines[0].metric = "stream.*";
  confirm(report);
  judge::judge(report);
  CHECK(report.counts.fail == 2);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].text.starts_with("stream.copy"));
  CHECK(report.findings[0].text.ends_with("; 1 more of its results is like this"));
  CHECK(std::get<std::int64_t>(report.findings[0].evidence.at("cells")) == 2);
}

TEST_CASE("half of four that are slow fail") {
  model::Report report = hosts_with({100, 92, 100, 92});
  confirm(report);
  CHECK(outcomes_of(report) == "pFpF");
}

TEST_CASE("a suspect beyond the margin that nobody measured again keeps the run back") {
  model::Report report = hosts_with({100, 100.1, 99.9, 94, 100, 100});
  judge::judge(report);
  CHECK(report.counts.pass == 6);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.find("not confirmed: ") == 0);
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].id == "peer-unconfirmed");
  CHECK(report.findings[0].subject == "n3");

  // Once is not enough, and neither is a suspect without anybody beside it.
  confirm(report, 1);
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  report = hosts_with({100, 100.1, 99.9, 94, 100, 100});
  confirm(report);
  for (const std::size_t place : {0U, 1U, 2U, 4U, 5U}) report.cells[place].confirmations.clear();
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);

  // Within the margin there is nothing to confirm.
  report = hosts_with({100, 100.1, 99.9, 96, 100, 100});
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("what the margin fails is looked at, however large an effect the suite names") {
  model::Report report = hosts_with({100, 100.1, 99.9, 90, 100, 100});
  report.suite.policy.peer_effect = 0.5;
  CHECK(suspected(report) == Places{3});
  report.suite.policy.peer_margin = 1;
  CHECK_THROWS_AS(judge::judge(report), std::invalid_argument);
}
