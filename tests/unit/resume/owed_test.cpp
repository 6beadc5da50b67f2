#include "harness/resume/owed.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using config::Placement;

namespace {

std::vector<config::Step> suite() {
  return {step("a"), step("all", Placement::kWorld), step("b"), step("late", Placement::kWorld)};
}

// The first segment: three hosts; the step "a" and the world are done, node2 goes in the middle of
// "b".
model::Report first_segment(const std::shared_ptr<fakes::FakeDisk>& disk) {
  Stage stage(3);
  stage.request.suite.steps = suite();
  stage.bench = [good = stage.bench](const warden::Launch& launch) {
    auto performance = good(launch);
    if (fakes::head_of(launch).step == "b") performance.seconds = 10;
    return performance;
  };
  stage.clock.at(5, [&] { stage.kill(2); });
  model::Report report = stage.play();
  disk->files = stage.disk->files;
  return report;
}

// What run_request makes of an earlier report.
void resume_without(resume::Request& request, const model::Report& before,
                    const std::vector<std::string>& without) {
  request.segment = 2;
  request.suite.steps = suite();
  for (const auto& info : before.steps) {
    if (info.state == model::StepState::kDone) request.done_steps.insert(info.id);
  }
  for (model::Cell cell : before.cells) {
    request.owed_cells.push_back(cell.id);
    cell.measurements.clear();
    cell.verdict = {};
    request.cells_before.push_back(cell);
  }
  for (const std::string& host : without) {
    resume::SetAside one{host, "rank 2 vanished", std::nullopt, "any"};
    for (const auto& node : before.nodes) {
      if (node.host == host) one.node = node;
    }
    request.set_aside.push_back(one);
  }
}

const model::Cell& cell_of(const model::Report& report, const std::string& id) {
  for (const auto& cell : report.cells) {
    if (cell.id == id) return cell;
  }
  FAIL("there is no cell " << id);
  return report.cells.front();
}

}  // namespace

TEST_CASE("a run goes on without a host that was lost, and still owes what that host owed") {
  auto disk = std::make_shared<fakes::FakeDisk>();
  const model::Report before = first_segment(disk);
  REQUIRE(state(before, "all") == "done");
  REQUIRE(state(before, "b").starts_with("stopped"));
  Stage stage(2);
  stage.disk->files = disk->files;
  resume_without(stage.request, before, {"node2"});
  const model::Report report = stage.play();
  CHECK(report.run.completed);
  CHECK(report.run.segments == 2);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(has_finding(report, "host-set-aside", "node2"));
  CHECK(report.acceptance_reason.find("node2 was set aside: rank 2 vanished") == 0);
  // What it had done counts, by its own table.
  CHECK(cell_of(report, "a:node2:fake.rate[]").verdict.outcome == model::Outcome::kPass);
  CHECK(cell_of(report, "all:world (3 hosts):fake.rate[]").verdict.outcome ==
        model::Outcome::kPass);
  // What the others still owed is measured, without it.
  CHECK(cell_of(report, "b:node0:fake.rate[]").verdict.outcome == model::Outcome::kPass);
  CHECK(cell_of(report, "late:world (2 hosts):fake.rate[]").verdict.outcome ==
        model::Outcome::kPass);
  const auto& lost = cell_of(report, "b:node2:fake.rate[]").verdict;
  CHECK(lost.outcome == model::Outcome::kUntested);
  CHECK(lost.reason_id == "rank-lost");
  const auto& never = cell_of(report, "late:world (3 hosts):fake.rate[]").verdict;
  CHECK(never.outcome == model::Outcome::kUntested);
  CHECK(never.reason_id == "set-aside");
  // A step that is done is owed no smaller world.
  for (const auto& cell : report.cells) CHECK(cell.id != "all:world (2 hosts):fake.rate[]");
  CHECK(report.nodes.size() == 3);
}

TEST_CASE("a run without a host that is not what the first one planned is refused") {
  auto disk = std::make_shared<fakes::FakeDisk>();
  const model::Report before = first_segment(disk);
  SECTION("a host is missing that was not set aside") {
    Stage stage(1);
    resume_without(stage.request, before, {"node2"});
    CHECK_THROWS_WITH(stage.play(),
                      Catch::Contains("would owe other cells") && Catch::Contains("node1"));
  }
  SECTION("a host is there that was not") {
    Stage stage(4);
    resume_without(stage.request, before, {"node2"});
    CHECK_THROWS_WITH(stage.play(), Catch::Contains("node3"));
  }
}

namespace {

model::Cell owed_cell(const std::string& host, const std::string& device) {
  model::Cell cell;
  cell.step = "a";
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.host = host;
  cell.subject.device = device;
  cell.metric = "rate";
  cell.id = "a:" + host + "/" + device;
  return cell;
}

}  // namespace

TEST_CASE("after a repair a plan may owe another GPU in place of the repaired one, and no fewer") {
  resume::Request request;
  request.repairs = {{"node1", "GPU-1b", "replaced", "4711"}};
  request.cells_before = {owed_cell("node0", "GPU-0a"), owed_cell("node1", "GPU-1a"),
                          owed_cell("node1", "GPU-1b")};
  plan::Plan plan;
  plan.cells = request.cells_before;
  CHECK_NOTHROW(resume::refuse_lesser_plan(plan, request));
  plan.cells[2] = owed_cell("node1", "GPU-new");
  CHECK_NOTHROW(resume::refuse_lesser_plan(plan, request));
  plan.cells.pop_back();
  CHECK_THROWS_AS(resume::refuse_lesser_plan(plan, request), resume::Refused);
  // Neither another GPU of the same host nor one of another host may come or go.
  plan.cells = {owed_cell("node0", "GPU-0a"), owed_cell("node1", "GPU-x"),
                owed_cell("node1", "GPU-1b")};
  CHECK_THROWS_AS(resume::refuse_lesser_plan(plan, request), resume::Refused);
  plan.cells = {owed_cell("node0", "GPU-x"), owed_cell("node1", "GPU-1a"),
                owed_cell("node1", "GPU-1b")};
  CHECK_THROWS_AS(resume::refuse_lesser_plan(plan, request), resume::Refused);
  request.repairs = {{"node1", "", "replaced", "4711"}};
  plan.cells = {owed_cell("node0", "GPU-0a"), owed_cell("node1", "GPU-x"),
                owed_cell("node1", "GPU-y"), owed_cell("node1", "GPU-z")};
  CHECK_NOTHROW(resume::refuse_lesser_plan(plan, request));
}
