#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {
namespace {

/// Hosts with one rank and two devices each, of which those of the given numbers are left out.
Site site_without(int hosts, const std::vector<int>& left_out) {
  Site site;
  site.mpi = true;
  site.in_rank_benches = {"collectives-mpi"};
  for (int number = 0; number < hosts; ++number) {
    const std::string host = "node" + std::to_string(number);
    const bool out = std::find(left_out.begin(), left_out.end(), number) != left_out.end();
    (out ? site.left_out : site.ranks).push_back({number, host, 0});
    if (out) continue;
    model::NodeInventory& node = site.nodes.emplace_back();
    node.host = host;
    node.facts["numa.count"] = {contract::Scalar(std::int64_t{1}), "test", ""};
    node.devices = {{"GPU-" + host + "-0", 0, {}}, {"GPU-" + host + "-1", 1, {}}};
  }
  return site;
}

config::Step expecting(const std::string& bench, const std::string& backend,
                       config::Placement placement, config::Members members) {
  config::Step step;
  step.id = bench;
  step.bench = bench;
  step.backend = backend;
  step.placement = placement;
  step.members = members;
  step.expect.push_back({bench + ".rate", {}, "", true, ""});
  return step;
}

config::Step ring_of(config::Members members) {
  return expecting("ring", "nccl", config::Placement::kWorld, members);
}

config::Suite suite_of(std::vector<config::Step> steps) {
  config::Suite suite;
  suite.steps = std::move(steps);
  return suite;
}

}  // namespace

TEST_CASE("what is collective over ranks of which some are left out is left out") {
  const Site one = site_without(3, {1, 2});
  const auto ranks = config::Members::kRanks;
  const Plan plan = make_plan(
      suite_of({expecting("stream", "host", config::Placement::kNode, ranks),
                expecting("collectives", "mpi", config::Placement::kWorld, ranks), ring_of(ranks)}),
      one, {});
  REQUIRE(plan.infos.size() == 3);
  CHECK(plan.infos[0].state == model::StepState::kNotReached);
  CHECK(model::is_left_out(plan.infos[1]));
  CHECK(model::is_left_out(plan.infos[2]));
  REQUIRE(plan.cells.size() == 1);
  CHECK(plan.cells[0].step == "stream");
}

TEST_CASE("the devices of one host have each other when the other hosts are left out") {
  const Plan plan =
      make_plan(suite_of({ring_of(config::Members::kDevices)}), site_without(3, {1, 2}), {});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].instances[0].devices ==
        std::vector<std::string>{"GPU-node0-0", "GPU-node0-1"});
}

TEST_CASE("a world of some hosts is made of them, whatever the numbers of their ranks") {
  const Plan plan =
      make_plan(suite_of({ring_of(config::Members::kRanks)}), site_without(3, {1}), {});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].instances[0].ranks == std::vector<int>{0, 2});
  REQUIRE(plan.cells.size() == 1);
  CHECK(plan.cells[0].subject.members == std::vector<std::string>{"node0", "node2"});
  CHECK(plan.cells[0].waived.empty());
}

}  // namespace rackproof::plan
