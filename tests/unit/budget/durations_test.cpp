#include "harness/budget/durations.hpp"

#include <catch2/catch.hpp>

namespace rackproof::budget {
namespace {

void add_step(model::Report& report, const std::string& id,
              model::StepState state = model::StepState::kDone) {
  model::StepInfo& step = report.steps.emplace_back();
  step.id = id;
  step.state = state;
}

void add_attempt(model::Report& report, const std::string& step, double began, double seconds,
                 int resumed = 0) {
  model::Attempt& attempt = report.attempts.emplace_back();
  attempt.step = step;
  attempt.began_seconds = began;
  attempt.seconds = seconds;
  attempt.resumed = resumed;
}

config::Step step_of(const std::string& id, double takes = 0) {
  config::Step step;
  step.id = id;
  step.takes_seconds = takes;
  step.deadline_seconds = 100;
  step.attempts = 2;
  return step;
}

TEST_CASE("a step takes from its first start to its last end, repeats included") {
  model::Report report;
  report.nodes.resize(3);
  report.run.completed = true;
  report.run.seconds = 100;
  add_step(report, "a");
  add_step(report, "b");
  add_step(report, "broken", model::StepState::kStopped);
  add_attempt(report, "a", 10, 5);
  add_attempt(report, "a", 11, 6);
  add_attempt(report, "a", 18, 2);
  add_attempt(report, "b", 30, 40);
  add_attempt(report, "broken", 80, 1);
  const RunTimes times = times_of(report);
  CHECK(times.hosts == 3);
  CHECK(times.seconds == std::map<std::string, double>{{"a", 10.0}, {"b", 40.0}});
  CHECK(times.rest_seconds == 50);
}

TEST_CASE("the clocks of a resumed run begin anew, and its rest is not known") {
  model::Report report;
  report.run.completed = true;
  report.run.segments = 2;
  report.run.seconds = 1000;
  add_step(report, "a");
  add_attempt(report, "a", 500, 10);
  add_attempt(report, "a", 5, 7, 1);
  const RunTimes times = times_of(report);
  CHECK(times.seconds.at("a") == 17);
  CHECK(times.rest_seconds == 0);
}

TEST_CASE("reports come before the suite, and that before the deadline") {
  const std::vector<RunTimes> runs = {
      {4, {{"a", 7.0}}, 3}, {4, {{"a", 5.0}}, 0}, {8, {{"a", 9.0}}, 5}};
  const Duration known = duration_of(step_of("a", 30), 4, runs);
  CHECK(known.usual_seconds == 7);
  CHECK(known.longest_seconds == 9);
  CHECK(known.from == KnownFrom::kReports);
  const Duration said = duration_of(step_of("b", 30), 4, runs);
  CHECK(said.usual_seconds == 30);
  CHECK(said.longest_seconds == 60);
  CHECK(said.from == KnownFrom::kSuite);
  const Duration bound = duration_of(step_of("b"), 4, runs);
  CHECK(bound.usual_seconds == 100);
  CHECK(bound.from == KnownFrom::kDeadline);
  CHECK(rest_seconds(runs) == 4);
  CHECK(rest_seconds({}) == 0);
}

TEST_CASE("a step over all hosts takes what it took on the nearest number of hosts") {
  config::Step step = step_of("a");
  step.placement = config::Placement::kWorld;
  const std::vector<RunTimes> runs = {
      {2, {{"a", 10.0}}, 0}, {16, {{"a", 50.0}}, 0}, {16, {{"a", 70.0}}, 0}, {64, {{"b", 1.0}}, 0}};
  CHECK(duration_of(step, 18, runs).usual_seconds == 60);
  CHECK(duration_of(step, 3, runs).usual_seconds == 10);
  CHECK(duration_of(step, 64, runs).usual_seconds == 60);
}

}  // namespace
}  // namespace rackproof::budget
