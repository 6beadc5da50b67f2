#include "reports/terminal/planned.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "reports/json/planned_run_json.hpp"

namespace rackproof::terminal {
namespace {

model::PlannedStep planned_step(const std::string& id, double takes, double deadline) {
  model::PlannedStep step;
  step.id = id;
  step.program = id + "-host";
  step.where = "on 2 nodes";
  step.takes_seconds = takes;
  step.deadline_seconds = deadline;
  step.cells = 4;
  step.required = 4;
  step.limited = 4;
  return step;
}

model::PlannedRun planned_run(std::vector<model::PlannedStep> steps) {
  model::PlannedRun run;
  run.suite = "mine";
  run.hosts = 2;
  run.ranks = 2;
  run.platform_of_host = {{"gb-01", "gb200-nvl72"}, {"gb-02", "gb200-nvl72"}};
  run.steps = std::move(steps);
  return run;
}

bool plan_tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plan is told by step, with its time in all") {
  const std::string text =
      planned(planned_run({planned_step("stream", 30, 600), planned_step("burn", 140, 240)}), {});
  CHECK(text ==
        "suite mine on 2 hosts with 2 ranks\n"
        "gb-01: judged by gb200-nvl72\n"
        "gb-02: judged by gb200-nvl72\n"
        "\n"
        "step    bench                   cells  required  with a limit  waived              time\n"
        "stream  stream-host on 2 nodes      4         4             4       0        about 30 s\n"
        "burn    burn-host on 2 nodes        4         4             4       0  about 2 min 20 s\n"
        "time: about 2 min 50 s; what is measured again comes on top\n"
        "DRY RUN: 8 cells in 2 of 2 steps would be measured; nothing was started, nothing is "
        "judged\n");
}

TEST_CASE("a step of which nobody says how long it takes counts with its deadline, apart") {
  Style wide;
  wide.width = 200;
  CHECK(plan_tells(
      planned(planned_run({planned_step("stream", 30, 600), planned_step("mine", 0, 60)}), wide),
      "time: about 30 s, and at most 1 min for one step of which the suite does not say it; what "
      "is measured again comes on top\n"));
  CHECK(plan_tells(planned(planned_run({planned_step("a", 0, 60), planned_step("b", 0, 90)}), {}),
                   "time: at most 2 min 30 s for 2 steps"));
}

TEST_CASE("a step that is not started takes no time and says why") {
  model::PlannedStep skipped = planned_step("gpu", 30, 600);
  skipped.skipped = "no device here";
  skipped.cells = 0;
  model::PlannedStep left_out = planned_step("other", 30, 600);
  left_out.left_out = true;
  left_out.cells = 0;
  const std::string text = planned(planned_run({skipped, left_out}), {});
  CHECK(plan_tells(text, "step gpu: no device here\n"));
  CHECK(plan_tells(text, "step other: left out\n"));
  CHECK_FALSE(plan_tells(text, "time: "));
  CHECK(plan_tells(text, "DRY RUN: 0 cells in 0 of 2 steps"));
}

TEST_CASE("a plan of some hosts says how many are left out") {
  model::PlannedRun run = planned_run({planned_step("stream", 30, 600)});
  CHECK_FALSE(plan_tells(model::to_json(run), "left_out_hosts"));
  run.left_out_hosts = {"gb-03"};
  CHECK(plan_tells(planned(run, {}), "left out: 1 of 3 hosts of the job\n"));
  CHECK(plan_tells(model::to_json(run), "\"left_out_hosts\": [\n  \"gb-03\"\n ]"));
}

TEST_CASE("cells without a limit are counted, and listed with those that have one") {
  model::PlannedRun run = planned_run({planned_step("stream", 30, 600)});
  run.steps.front().limited = 1;
  run.steps.front().unjudged = 1;
  model::PlannedCell cell;
  cell.id = "stream:gb-01:stream.triad[]";
  cell.step = "stream";
  cell.metric = "stream.triad";
  cell.unit = "B/s";
  cell.limit_low = 819e9;
  cell.source = "gb200-nvl72 triad";
  run.cells.push_back(cell);
  cell.limit_low.reset();
  cell.source.clear();
  cell.required = false;
  run.cells.push_back(cell);
  cell.waived = "no device here";
  run.cells.push_back(cell);
  Style style;
  style.all_cells = true;
  const std::string text = planned(run, style);
  CHECK(plan_tells(text, "no speed limit: 2 of 4 required cells;"));
  CHECK(plan_tells(text, "no baseline: 1 of 4 required cells; they would be unjudged, and"));
  CHECK(text.starts_with(
      "stream:gb-01:stream.triad[]  >= 819 GB/s (gb200-nvl72 triad)\n"
      "stream:gb-01:stream.triad[]  no baseline  (not required)\n"
      "stream:gb-01:stream.triad[]  (waived: no device here)  (not required)\n\n"));
  CHECK_FALSE(plan_tells(planned(run, {}), "stream.triad"));
  const std::string document = model::to_json(run);
  CHECK(plan_tells(document, "\"baseline\": \"gb200-nvl72 triad\""));
  CHECK(plan_tells(document, "\"limit_low\": 819000000000.0"));
}

TEST_CASE("many hosts are counted by their table, and names cannot write to the screen") {
  model::PlannedRun run = planned_run({});
  for (int i = 0; i < 12; ++i) run.platform_of_host["host" + std::to_string(i)] = "hgx-h200";
  const std::string text = planned(run, {});
  CHECK(plan_tells(text, "2 hosts: judged by gb200-nvl72\n12 hosts: judged by hgx-h200\n"));
  run.platform_of_host = {{"a\x1b[2J", "hgx-h200"}};
  CHECK(planned(run, {}).find('\x1b') == std::string::npos);
}

}  // namespace rackproof::terminal
