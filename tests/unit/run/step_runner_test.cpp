#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;

TEST_CASE("a step that is to be repeated is measured so often, and all of it counts") {
  Stage stage(2, 1);
  config::Step often = step("a");
  often.repeat = 3;
  often.attempts = 3;
  SECTION("on each host") {}
  SECTION("as a group of processes") {
    often = ring();
    often.id = "a";
    often.repeat = 3;
    often.attempts = 3;
    stage.bench = [](const warden::Launch& launch) {
      const model::Attempt head = fakes::head_of(launch);
      fakes::Act act(launch, 5);
      act.hello();
      if (head.member == 0 && head.step == "a") act.token(1, "id", "00ff");
      act.check();
      if (head.member != 0) return act.end().done();
      protocol::Metric metric;
      metric.name = kMetric;
      metric.unit = "B/s";
      metric.value = 100;
      metric.samples = fakes::samples_around(100, 0.001);
      metric.subject.kind =
          head.step == "a" ? contract::SubjectKind::kGroup : contract::SubjectKind::kNode;
      metric.check = "answer";
      return act.metric(metric).end().done();
    };
  }
  SECTION("inside the ranks") {
    often = step("a", config::Placement::kWorld);
    often.repeat = 3;
    often.attempts = 3;
  }
  stage.request.suite.steps = {often, step("b")};
  const model::Report report = stage.play();
  CHECK(state(report, "a") == "done");
  std::map<std::string, int> attempts;
  for (const model::Attempt& attempt : report.attempts) ++attempts[attempt.step];
  CHECK(attempts["a"] == 6);
  CHECK(attempts["b"] == 2);
  for (const model::Cell& cell : report.cells) {
    CHECK(cell.measurements.size() == (cell.step == "a" ? 3 : 1));
    CHECK(model::is_right(cell.verdict.outcome));
  }
}

TEST_CASE("an attempt that ends badly is no repeat") {
  Stage stage;
  config::Step often = step("a");
  often.repeat = 3;
  int launches = 0;
  stage.bench = [&launches](const warden::Launch& launch) {
    if (++launches == 2) return fakes::Act(launch, 1).hello().killed(11);
    fakes::Act act(launch, 1);
    act.hello().check();
    protocol::Metric metric;
    metric.name = kMetric;
    metric.unit = "B/s";
    metric.value = 100;
    metric.samples = fakes::samples_around(100, 0.001);
    metric.check = "answer";
    return act.metric(metric).end().done();
  };
  SECTION("it is made up for where there are attempts left") {
    often.attempts = 4;
    stage.request.suite.steps = {often};
    const model::Report report = stage.play();
    CHECK(launches == 4);
    CHECK(report.cells.at(0).measurements.size() == 3);
    CHECK(model::is_right(verdict(report, "a").outcome));
  }
  SECTION("or the cell is untested") {
    often.attempts = 3;
    stage.request.suite.steps = {often};
    const model::Report report = stage.play();
    CHECK(launches == 3);
    CHECK(verdict(report, "a").outcome == model::Outcome::kUntested);
    CHECK(verdict(report, "a").reason_id == "not-repeated");
    CHECK(report.acceptance == model::Acceptance::kIncomplete);
  }
}

TEST_CASE("what was measured well in a step that was not done is not measured again") {
  Stage stage(2, 1);
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.segment = 2;
  stage.request.done_subjects = {{"a", "node0"}};
  const model::Report report = stage.play();
  std::vector<std::string> measured;
  for (const auto& launch : stage.launches()) {
    const model::Attempt head = fakes::head_of(launch);
    measured.push_back(head.step + " " + head.host);
  }
  std::sort(measured.begin(), measured.end());
  CHECK(measured == std::vector<std::string>{"a node1", "b node0", "b node1"});
  CHECK(state(report, "a") == "done");
}
