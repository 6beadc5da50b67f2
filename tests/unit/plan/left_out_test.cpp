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

TEST_CASE("a step may be kept to some of the hosts, and another one be on all") {
  const auto ranks = config::Members::kRanks;
  const config::Suite suite =
      suite_of({expecting("stream", "host", config::Placement::kNode, ranks),
                expecting("gemm", "host", config::Placement::kNode, ranks), ring_of(ranks),
                expecting("collectives", "mpi", config::Placement::kWorld, ranks)});
  Selection selection;
  selection.only_on = {{"stream", {"node1"}},
                       {"gemm", {"node2", "node0", "node1"}},
                       {"ring", {"node2"}},
                       {"collectives", {"node1"}}};
  const Plan plan = make_plan(suite, site_without(3, {}), selection);
  REQUIRE(plan.infos.size() == 4);
  CHECK(plan.infos[0].only_hosts == std::vector<std::string>{"node1"});
  CHECK(plan.infos[1].only_hosts.empty());
  CHECK(model::is_left_out(plan.infos[2]));
  CHECK(plan.infos[3].only_hosts.empty());
  REQUIRE(plan.steps.size() == 3);
  REQUIRE(plan.steps[0].instances.size() == 1);
  CHECK(plan.steps[0].instances[0].ranks == std::vector<int>{1});
  CHECK(plan.steps[1].instances.size() == 3);
  CHECK(plan.steps[2].instances[0].ranks.size() == 3);
}

TEST_CASE("a step is left out by its id and not by the name of its bench") {
  const auto ranks = config::Members::kRanks;
  config::Step second = expecting("stream", "host", config::Placement::kNode, ranks);
  second.id = "stream-again";
  const config::Suite suite =
      suite_of({expecting("stream", "host", config::Placement::kNode, ranks), second});
  Selection selection;
  selection.left_out = {"stream"};
  const Plan plan = make_plan(suite, site_without(1, {}), selection);
  CHECK(model::is_left_out(plan.infos[0]));
  CHECK_FALSE(model::is_left_out(plan.infos[1]));
}

}  // namespace rackproof::plan
