#include "harness/job/planned.hpp"

#include <catch2/catch.hpp>

#include "harness/plan/plan.hpp"

using namespace rackproof;

namespace {

/// A node step with a rate and a time, of which a table limits the rate; and a step over the ranks,
/// of whom there is one.
config::Suite suite_of_two() {
  config::Suite suite;
  suite.info.id = "two";
  config::Step& stream = suite.steps.emplace_back();
  stream.id = "stream";
  stream.bench = "stream";
  stream.backend = "host";
  stream.placement = config::Placement::kNode;
  stream.takes_seconds = 5;
  stream.deadline_seconds = 60;
  stream.expect.push_back({"stream.triad", {}, "", true, ""});
  stream.expect.push_back({"stream.time", {}, "", true, ""});
  config::Step world = stream;
  world.id = "collectives";
  world.bench = "collectives";
  world.backend = "mpi";
  world.placement = config::Placement::kWorld;
  suite.steps.push_back(world);
  return suite;
}

config::MetricCatalogue kinds() {
  config::MetricKind rate;
  rate.names = {"stream.triad"};
  rate.backends = {"host"};
  rate.unit = "B/s";
  config::MetricKind time = rate;
  time.names = {"stream.time"};
  time.unit = "s";
  time.better = contract::Better::kLess;
  return {rate, time};
}

model::PlatformTable table_with_a_limit() {
  model::PlatformTable table;
  table.id = "board";
  model::Baseline& figure = table.baselines.emplace_back();
  figure.id = "triad";
  figure.metric = "stream.triad";
  figure.expected = 100e9;
  figure.unit = "B/s";
  figure.tolerance_below = 0.1;
  figure.table = "board";
  model::Baseline& answer = table.baselines.emplace_back();
  answer.id = "right";
  answer.metric = "*";
  answer.kind = model::BaselineKind::kCorrectness;
  answer.table = "board";
  return table;
}

}  // namespace

TEST_CASE("a plan knows what each cell would be held to") {
  plan::Site site;
  site.nodes.emplace_back().host = "a";
  site.ranks.push_back({0, "a", 0});
  site.mpi = true;
  site.in_rank_benches = {"collectives-mpi"};
  const plan::Plan plan = plan::make_plan(suite_of_two(), site, {});
  model::Report report;
  report.suite = suite_of_two().info;
  report.nodes = site.nodes;
  report.ranks.emplace_back();
  report.platforms = {table_with_a_limit()};
  report.platform_of_host = {{"a", "board"}};
  report.steps = plan.infos;
  report.cells = plan.cells;
  const model::PlannedRun run = job::planned_run(plan, report, kinds());
  CHECK(run.suite == "two");
  CHECK(run.hosts == 1);
  REQUIRE(run.steps.size() == 2);
  CHECK(run.steps[0].where == "on 1 node");
  CHECK(run.steps[0].takes_seconds == 5);
  CHECK(run.steps[0].cells == 2);
  CHECK(run.steps[0].required == 2);
  CHECK(run.steps[0].limited == 1);
  CHECK(run.steps[0].unjudged == 0);
  CHECK_FALSE(run.steps[1].skipped.empty());
  CHECK(run.steps[1].cells == 0);
  CHECK(run.steps[1].waived == 2);
  REQUIRE(run.cells.size() == 4);
  CHECK(run.cells[0].metric == "stream.triad");
  CHECK(run.cells[0].limit_low == Approx(90e9));
  CHECK(run.cells[0].source == "board triad");
  CHECK(run.cells[0].unit == "B/s");
  CHECK_FALSE(run.cells[1].limit_high.has_value());
  CHECK(run.cells[1].source == "board right");
  CHECK_FALSE(run.cells[2].waived.empty());
}

TEST_CASE("a plan says which steps a selection leaves out") {
  plan::Site site;
  site.nodes.emplace_back().host = "a";
  site.ranks.push_back({0, "a", 0});
  const plan::Plan plan = plan::make_plan(suite_of_two(), site, {{"stream"}, {}});
  model::Report report;
  report.steps = plan.infos;
  report.cells = plan.cells;
  const model::PlannedRun run = job::planned_run(plan, report, {});
  REQUIRE(run.steps.size() == 2);
  CHECK_FALSE(run.steps[0].left_out);
  CHECK(run.steps[1].left_out);
  CHECK(run.cells.size() == 2);
  CHECK(run.cells[0].source.empty());
  CHECK(run.steps[0].unjudged == 2);
}
