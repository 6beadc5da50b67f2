#include "harness/run/session.hpp"

#include <catch2/catch.hpp>

#include "reports/model/cell_text.hpp"
#include "tests/unit/run/stage.hpp"

namespace rackproof::run_test {
namespace {

/// Benches work; of the ring the first member gives the token and speaks for all.
fakes::Performance works_in_any_group(const warden::Launch& launch) {
  const model::Attempt head = fakes::head_of(launch);
  if (head.bench != "ring") return fakes::good(launch, kMetric, fakes::samples_around(100));
  fakes::Act act(launch, 10);
  act.hello();
  if (head.member != 0) return act.check().end().done();
  protocol::Metric metric;
  metric.name = kMetric;
  metric.unit = "B/s";
  metric.value = 100;
  metric.samples = fakes::samples_around(100);
  metric.subject.kind = contract::SubjectKind::kGroup;
  metric.check = "answer";
  return act.token(2, "id", "00ff").check().metric(metric).end().done();
}

}  // namespace

TEST_CASE("only the hosts that are named are looked at, recorded and measured") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), ring(), step("world", config::Placement::kWorld)};
  stage.request.only_hosts = {"node2", "node1"};
  stage.request.record = true;
  stage.bench = works_in_any_group;
  const model::Report report = stage.play();
  CHECK(report.run.left_out_hosts == std::vector<std::string>{"node0"});
  REQUIRE(report.nodes.size() == 2);
  CHECK(report.nodes[0].host == "node1");
  CHECK(report.ranks.size() == 3);
  CHECK(report.recordings.size() == 2);
  REQUIRE(report.cells.size() == 3);
  CHECK(report.cells[2].subject.members == std::vector<std::string>{"node1", "node2"});
  for (const model::Cell& cell : report.cells) {
    INFO(cell.id << ": " << model::reason_of(cell));
    CHECK(cell.verdict.outcome == model::Outcome::kPass);
  }
  CHECK(state(report, "ring") == "done");
  CHECK(state(report, "world") == "left-out");
  for (const model::Attempt& attempt : report.attempts) CHECK(attempt.host != "node0");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(
      report.acceptance_reason.starts_with("1 of 3 hosts of the job were left out: node0; 1 of 3 "
                                           "steps of the suite were left out: world"));
  CHECK(model::scope_of(report) == "2 of 3 hosts, 0 GPUs, 2 of 3 steps");
  CHECK(has_finding(report, "partial-selection", "node0"));
}

TEST_CASE("every host by name is the whole job") {
  Stage stage(2);
  stage.request.suite.steps = {step("a"), step("world", config::Placement::kWorld)};
  stage.request.only_hosts = {"node1", "node0"};
  const model::Report report = stage.play();
  CHECK(report.run.left_out_hosts.empty());
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("a host that the job does not have is refused with the nearest name") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.request.only_hosts = {"node1", "nod0"};
  stage.request.only_hosts_of = "--only-host";
  std::string why;
  try {
    stage.coordinator().prepare(true);
  } catch (const resume::Refused& refused) {
    why = refused.what();
  }
  CHECK(why == "--only-host nod0: no host of this job has that name; did you mean 'node0'?");
  CHECK(stage.launches().empty());
}

TEST_CASE("a selection of hosts that leaves no step is refused") {
  Stage stage(2);
  stage.request.suite.steps = {step("world", config::Placement::kWorld)};
  stage.request.only_hosts = {"node1"};
  CHECK_THROWS_AS(stage.coordinator().prepare(true), resume::Refused);
}

TEST_CASE("a run that is continued leaves out the hosts that it left out before") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.request.left_out_hosts = {"node0"};
  const model::Report report = stage.play();
  CHECK(report.run.left_out_hosts == std::vector<std::string>{"node0"});
  REQUIRE(report.cells.size() == 1);
  CHECK(report.cells[0].subject.host == "node1");
}

TEST_CASE("where nothing is owed the ranks come together and nothing is started") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.request.nothing_owed = "nothing to run";
  CHECK_THROWS_AS(stage.coordinator().prepare(true), resume::NothingOwed);
  CHECK(stage.launches().empty());
  CHECK(stage.coordinator().everyone());
}

}  // namespace rackproof::run_test
