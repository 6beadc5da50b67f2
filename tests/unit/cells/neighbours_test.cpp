#include "harness/cells/neighbours.hpp"

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

struct Message {
  std::int64_t bytes;
  double seconds;
};

void add_cell(model::Report& report, const std::string& metric, contract::Parameters parameters,
              const std::string& unit, contract::Statistic statistic, double value) {
  model::Cell one = cell();
  one.metric = metric;
  one.parameters = std::move(parameters);
  model::Measurement said = measurement("a1", value);
  said.metric = metric;
  said.parameters = one.parameters;
  said.unit = unit;
  said.better = unit == "s" ? contract::Better::kLess : contract::Better::kMore;
  said.statistic = statistic;
  said.value = value;
  said.samples.clear();
  one.measurements = {said};
  report.cells.push_back(one);
}

/// A run of which everything is right.
model::Report correct() {
  model::Report report = one_cell();
  report.cells.clear();
  report.platforms[0].baselines[0].metric = "*";
  report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  report.steps[0].backend = "host";
  return report;
}

/// Cells in the order of the messages: time, bandwidth and tail of each.
model::Report messages(const std::vector<Message>& all) {
  model::Report report = correct();
  for (const Message& one : all) {
    const contract::Parameters parameters = {{"bytes", one.bytes}};
    const auto bytes = static_cast<double>(one.bytes);
    add_cell(report, "move.time", parameters, "s", contract::Statistic::kMedian, one.seconds);
    add_cell(report, "move.busbw", parameters, "B/s", contract::Statistic::kMedian,
             bytes / one.seconds);
    add_cell(report, "move.p99", parameters, "s", contract::Statistic::kP99, 1e-3);
  }
  return report;
}

/// Of which of the messages nothing is known, all three numbers alike.
std::vector<std::int64_t> untested(model::Report report) {
  judge::judge(report);
  std::vector<std::int64_t> bytes;
  for (std::size_t i = 0; i < report.cells.size(); i += 3) {
    const model::Verdict& first = report.cells[i].verdict;
    for (std::size_t j = i; j < i + 3; ++j) {
      CHECK(report.cells[j].verdict.outcome == first.outcome);
    }
    if (first.outcome != Outcome::kUntested) continue;
    CHECK(first.reason_id == "disturbed");
    bytes.push_back(std::get<std::int64_t>(report.cells[i].parameters.at("bytes")));
  }
  return bytes;
}

/// Sisters of which the bench says that they lie within a factor of 2.
model::Report kernels(const std::vector<double>& rates) {
  model::Report report = correct();
  const std::vector<std::string> names = {"stream.copy", "stream.scale", "stream.add",
                                          "stream.triad"};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    add_cell(report, names[i], {{"type", std::string("double")}}, "B/s", contract::Statistic::kBest,
             rates[i]);
    model::MetricBound bound{names[i], {"host"}, {},   "B/s", contract::Better::kMore,
                             {},       1e9,      "any"};
    bound.sisters = names;
    bound.apart = 2;
    report.bounds.push_back(bound);
  }
  return report;
}

std::vector<std::string> odd(model::Report report) {
  judge::judge(report);
  std::vector<std::string> names;
  for (const model::Cell& cell : report.cells) {
    if (cell.verdict.outcome == Outcome::kUntested) names.push_back(cell.metric);
  }
  return names;
}

}  // namespace

TEST_CASE("messages that take longer the larger they are pass") {
  const model::Report report = messages({{8, 1e-6}, {64, 0.6e-6}, {512, 0.6e-6}, {4096, 2e-6}});
  CHECK(untested(report).empty());
  CHECK_FALSE(in_doubt(report));
}

TEST_CASE("a small message that takes twice as long as larger ones is disturbed, and only it") {
  const model::Report report = messages({{8, 8e-3}, {64, 1e-6}, {512, 1.1e-6}, {4096, 2e-6}});
  CHECK(untested(report) == std::vector<std::int64_t>{8});
  CHECK(in_doubt(report));
}

TEST_CASE("a large message that takes half of what smaller ones do is it as well") {
  CHECK(untested(messages({{8, 5e-6}, {64, 5e-6}, {512, 1e-6}, {4096, 6e-6}})) ==
        std::vector<std::int64_t>{512});
}

TEST_CASE("of two that contradict each other nobody knows which is right") {
  CHECK(untested(messages({{8, 8e-3}, {64, 1e-6}})) == std::vector<std::int64_t>{8, 64});
}

TEST_CASE("the bulk of the samples contradicts, not their middle") {
  model::Report report = messages({{8, 3e-6}, {64, 1e-6}, {512, 1.1e-6}});
  auto& samples = report.cells[0].measurements[0].samples;
  report.cells[1].measurements[0].value = 8e6;
  samples = {1e-6, 1.1e-6, 1e-6, 3e-6, 3e-6, 3.1e-6, 3e-6, 3e-6};
  CHECK_FALSE(in_doubt(report));
  samples = {1e-6, 2.9e-6, 3e-6, 3e-6, 3e-6, 3.1e-6, 3e-6, 3e-6};
  CHECK(in_doubt(report));
}

TEST_CASE("messages of other parameters, steps and subjects are no neighbours") {
  model::Report report = messages({{8, 8e-3}, {64, 1e-6}});
  for (std::size_t i = 0; i < 3; ++i) {
    report.cells[i].parameters["dtype"] = std::string("half");
    report.cells[i].measurements[0].parameters = report.cells[i].parameters;
  }
  CHECK(untested(report).empty());
  // The same text of another type is another value.
  report.cells[3].parameters["dtype"] = std::int64_t{1};
  report.cells[0].parameters["dtype"] = std::string("1");
  CHECK_FALSE(in_doubt(report));
}

TEST_CASE("the best attempt speaks for a message") {
  model::Report report = messages({{8, 8e-3}, {64, 1e-6}, {512, 1e-6}});
  report.attempts.push_back(attempt(2));
  for (std::size_t i = 0; i < 2; ++i) {
    model::Measurement again = report.cells[i].measurements[0];
    again.attempt = "a2";
    again.value = i == 0 ? 1e-6 : 8e6;
    report.cells[i].measurements.push_back(again);
  }
  CHECK_FALSE(in_doubt(report));
}

TEST_CASE("a kernel that lies apart from its sisters is disturbed") {
  CHECK(odd(kernels({100, 99, 80, 51})).empty());
  CHECK(odd(kernels({100, 99, 80, 39})) == std::vector<std::string>{"stream.triad"});
  CHECK(odd(kernels({300, 99, 100, 100})) == std::vector<std::string>{"stream.copy"});
  CHECK(odd(kernels({300, 100})) == std::vector<std::string>{"stream.copy", "stream.scale"});
  CHECK(in_doubt(kernels({300, 100})));
}

TEST_CASE("what fails stays failed, whoever contradicts it") {
  model::Report report = kernels({100, 99, 80, 39});
  report.platforms[0].baselines[0].kind = model::BaselineKind::kAbsolute;
  report.platforms[0].baselines[0].statistic = contract::Statistic::kBest;
  report.platforms[0].baselines[0].tolerance_below = 0.5;
  judge::judge(report);
  CHECK(report.cells[3].verdict.outcome == Outcome::kFail);
  CHECK(report.cells[3].verdict.reason_id == "below-limit");
  CHECK(report.acceptance == model::Acceptance::kRejected);
}

TEST_CASE("contradictions are a finding, and no matter where disturbances are ignored") {
  model::Report report = kernels({100, 99, 80, 39});
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "unsteady");
  CHECK(report.findings[0].text ==
        "stream.triad type=double: stream.triad 39 B/s and stream.copy 100 B/s lie further apart "
        "than 2 times, which they do not on a machine that nothing disturbs");
  report.suite.policy.disturbed = model::Disturbed::kIgnore;
  CHECK(odd(report).empty());
  CHECK_FALSE(in_doubt(report));
}
