#include "harness/plan/plan.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace rackproof;
using config::Expectation;
using config::Placement;
using contract::Scalar;

namespace {

config::Step step(const std::string& id, Placement placement) {
  config::Step out;
  out.id = id;
  out.bench = id;
  out.backend = placement == Placement::kWorld ? "mpi" : "host";
  out.placement = placement;
  out.expect.push_back({id + ".rate", {{"n", {std::int64_t{1}, std::int64_t{2}}}}, "", true, ""});
  return out;
}

plan::Site site(int hosts, int ranks_each, int devices_each = 0, std::int64_t numa = 1) {
  plan::Site out;
  int rank = 0;
  for (int host = 0; host < hosts; ++host) {
    model::NodeInventory node;
    node.host = "node" + std::to_string(host);
    node.facts["numa.count"] = {Scalar(numa), "test", ""};
    for (int d = 0; d < devices_each; ++d) {
      node.devices.push_back({"GPU-" + std::to_string(host) + "-" + std::to_string(d), d, {}});
    }
    for (int local = 0; local < ranks_each; ++local) {
      out.ranks.push_back({rank++, node.host, local});
    }
    out.nodes.push_back(std::move(node));
  }
  out.mpi = true;
  out.in_rank_benches = {"world-mpi"};
  return out;
}

config::Suite suite(std::vector<config::Step> steps) {
  config::Suite out;
  out.steps = std::move(steps);
  return out;
}

}  // namespace

TEST_CASE("node steps run once on each host, whatever the number of ranks") {
  const auto plan = plan::make_plan(suite({step("a", Placement::kNode)}), site(3, 4), {});
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(plan.steps[0].instances.size() == 3);
  CHECK(plan.steps[0].instances[1].ranks == std::vector<int>{4});
  CHECK(plan.cells.size() == 6);
  CHECK_FALSE(plan.steps[0].in_rank);
}

TEST_CASE("device d of a host belongs to local rank d mod local size") {
  const auto plan = plan::make_plan(suite({step("a", Placement::kDevice)}), site(2, 3, 4), {});
  std::vector<int> ranks;
  for (const auto& instance : plan.steps[0].instances) ranks.push_back(instance.ranks.at(0));
  CHECK(ranks == std::vector<int>{0, 1, 2, 0, 3, 4, 5, 3});
  CHECK(plan.cells.size() == 16);
}

TEST_CASE("a host without a device keeps its cells, so that silence cannot pass") {
  auto mixed = site(2, 1, 1);
  mixed.nodes[1].devices.clear();
  const auto plan = plan::make_plan(suite({step("a", Placement::kDevice)}), mixed, {});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[2].subject.kind == contract::SubjectKind::kNode);
  CHECK(plan.cells[2].subject.host == "node1");
  CHECK(plan.cells[2].waived.empty());

  auto waiving = step("a", Placement::kDevice);
  waiving.no_gpu_waives = true;
  const auto none = plan::make_plan(suite({waiving}), site(1, 1), {});
  CHECK(none.steps.empty());
  CHECK(none.infos[0].state == model::StepState::kSkipped);
  REQUIRE(none.cells.size() == 2);
  CHECK_FALSE(none.cells[0].waived.empty());
}

TEST_CASE("world steps are one group of all ranks, and waived for one rank") {
  const auto plan = plan::make_plan(suite({step("world", Placement::kWorld)}), site(2, 2), {});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].in_rank);
  CHECK(plan.steps[0].instances[0].ranks == std::vector<int>{0, 1, 2, 3});
  CHECK(plan.cells[0].subject.members == std::vector<std::string>{"node0", "node1"});

  const auto alone = plan::make_plan(suite({step("world", Placement::kWorld)}), site(1, 1), {});
  CHECK(alone.steps.empty());
  REQUIRE(alone.cells.size() == 2);
  CHECK_FALSE(alone.cells[0].waived.empty());
}

namespace {

// A step whose members are processes.
config::Step ring(Placement placement, config::Members members = config::Members::kDevices) {
  auto out = step("ring", placement);
  out.backend = "nccl";
  out.members = members;
  return out;
}

std::vector<std::string> reasons(const plan::Plan& plan) {
  std::vector<std::string> out;
  for (const auto& cell : plan.cells) out.push_back(cell.waived);
  return out;
}

}  // namespace

TEST_CASE("a world of processes has a member for each device in the order of ranks and devices") {
  const auto plan = plan::make_plan(suite({ring(Placement::kWorld)}), site(2, 2, 3), {});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].group);
  CHECK_FALSE(plan.steps[0].in_rank);
  REQUIRE(plan.steps[0].instances.size() == 1);
  const plan::Instance& world = plan.steps[0].instances[0];
  CHECK(world.ranks == std::vector<int>{0, 1, 0, 2, 3, 2});
  CHECK(world.devices ==
        std::vector<std::string>{"GPU-0-0", "GPU-0-1", "GPU-0-2", "GPU-1-0", "GPU-1-1", "GPU-1-2"});
  CHECK(model::label(world.subject) == "world (2 hosts)");
  CHECK(plan.cells.size() == 2);
}

TEST_CASE("hosts come in the order of their ranks and not of their names") {
  auto mixed = site(2, 1, 2);
  std::swap(mixed.ranks[0].host, mixed.ranks[1].host);
  const auto plan = plan::make_plan(suite({ring(Placement::kWorld)}), mixed, {});
  const plan::Instance& world = plan.steps[0].instances[0];
  CHECK(world.devices == std::vector<std::string>{"GPU-1-0", "GPU-1-1", "GPU-0-0", "GPU-0-1"});
  CHECK(world.ranks == std::vector<int>{0, 0, 1, 1});
  CHECK(world.subject.members == std::vector<std::string>{"node0", "node1"});
}

TEST_CASE("members can be ranks where there is no device") {
  const auto plan =
      plan::make_plan(suite({ring(Placement::kWorld, config::Members::kRanks)}), site(2, 2), {});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].instances[0].ranks == std::vector<int>{0, 1, 2, 3});
  CHECK(plan.steps[0].instances[0].devices.empty());
  CHECK(plan.cells.size() == 2);
}

TEST_CASE("each node can have a group of its own") {
  const auto plan = plan::make_plan(suite({ring(Placement::kGroups)}), site(3, 2, 2), {});
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(plan.steps[0].instances.size() == 3);
  CHECK(plan.steps[0].group);
  CHECK(model::label(plan.steps[0].instances[1].subject) == "node:node1 (1 host)");
  CHECK(plan.steps[0].instances[1].ranks == std::vector<int>{2, 3});
  CHECK(plan.cells.size() == 6);
}

TEST_CASE("who is alone because others did not come is not waived") {
  config::Step step;
  step.id = "ring";
  step.bench = "ring";
  step.backend = "mpi";
  step.placement = config::Placement::kWorld;
  step.expect.push_back({"rate", {}, "", true, ""});
  config::Suite suite;
  suite.steps = {step};
  plan::Site site;
  site.ranks = {{0, "node0", 0}};
  site.in_rank_benches = {"ring-mpi"};
  CHECK(plan::make_plan(suite, site, {}).cells.at(0).waived.find("one rank") == 0);
  site.everyone = false;
  const plan::Plan plan = plan::make_plan(suite, site, {});
  CHECK(plan.steps.empty());
  CHECK(plan.cells.at(0).waived.empty());
  CHECK(plan.infos.at(0).reason.id == model::StepReason::kRankLost);
}

TEST_CASE("one device is not alone while a host has not told what it has") {
  plan::Site two = site(2, 1, 1);
  two.nodes.pop_back();
  SECTION("it was lost") {}
  SECTION("its inventory could not be taken") {
    two.nodes.emplace_back();
    two.nodes.back().host = "node1";
  }
  const plan::Plan plan = plan::make_plan(suite({ring(Placement::kWorld)}), two, {});
  CHECK(plan.steps.empty());
  REQUIRE_FALSE(plan.cells.empty());
  for (const model::Cell& cell : plan.cells) CHECK(cell.waived.empty());
  CHECK(plan.infos.at(0).reason.id == model::StepReason::kInventoryFailed);
  CHECK(plan.infos.at(0).reason.words.find("one device") == 0);
}

TEST_CASE("a group of one is waived and not started, beside groups that are") {
  auto mixed = site(2, 1, 2);
  mixed.nodes[1].devices.pop_back();
  const auto groups = plan::make_plan(suite({ring(Placement::kGroups)}), mixed, {});
  REQUIRE(groups.steps.size() == 1);
  CHECK(groups.steps[0].instances.size() == 1);
  const std::string why = "one device: at least 2 devices are needed";
  CHECK(reasons(groups) == std::vector<std::string>{"", "", why, why});
  const auto world = plan::make_plan(suite({ring(Placement::kWorld)}), site(1, 1, 1), {});
  CHECK(world.steps.empty());
  CHECK(world.infos[0].state == model::StepState::kSkipped);
  CHECK(world.infos[0].reason.words == why);
  CHECK(reasons(world) == std::vector<std::string>{why, why});
}

TEST_CASE("a host without a device owes its part of a group of devices") {
  auto mixed = site(3, 1, 2);
  mixed.nodes[2].devices.clear();
  const auto plan = plan::make_plan(suite({ring(Placement::kWorld)}), mixed, {});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[2].subject.host == "node2");
  CHECK(reasons(plan) == std::vector<std::string>(4));
  auto waiving = ring(Placement::kGroups);
  waiving.no_gpu_waives = true;
  const auto none = plan::make_plan(suite({waiving}), site(2, 1), {});
  CHECK(none.steps.empty());
  CHECK(none.infos[0].reason.words == "no host has a device");
  CHECK(reasons(none) == std::vector<std::string>(4, "no device here"));
}

TEST_CASE("a host is waived only when it is known to have no GPU") {
  auto one = step("stream", Placement::kDevice);
  one.no_gpu_waives = true;
  auto unseen = site(1, 1);
  unseen.nodes[0].facts["gpu.unmanaged"] = {Scalar(std::string("0000:18:00.0")), "test", ""};
  CHECK(reasons(plan::make_plan(suite({one}), unseen, {})) == std::vector<std::string>{"", ""});
  auto mute = site(1, 1);
  mute.nodes[0].facts["gpu.driver"] = {Scalar(std::string("580.1")), "test", ""};
  CHECK(reasons(plan::make_plan(suite({one}), mute, {})) == std::vector<std::string>{"", ""});
  mute.nodes[0].facts["gpu.nvml_count"] = {Scalar(std::int64_t{0}), "test", ""};
  CHECK(reasons(plan::make_plan(suite({one}), mute, {})) ==
        std::vector<std::string>(2, "no device here"));
  auto unknown = site(1, 1);
  unknown.nodes[0].facts.clear();
  CHECK(reasons(plan::make_plan(suite({one}), unknown, {})) == std::vector<std::string>{"", ""});
  auto untold = site(1, 1);
  untold.nodes.clear();
  CHECK(reasons(plan::make_plan(suite({one}), untold, {})) == std::vector<std::string>{"", ""});
}

TEST_CASE("a host with a GPU out of reach owes more than its other devices can give") {
  auto one = step("stream", Placement::kDevice);
  one.no_gpu_waives = true;
  auto mixed = site(1, 1, 1);
  mixed.nodes[0].facts["gpu.silent"] = {Scalar(std::string("1: GPU is lost")), "test", ""};
  const auto plan = plan::make_plan(suite({one}), mixed, {});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[0].subject.kind == contract::SubjectKind::kDevice);
  CHECK(plan.cells[2].subject.kind == contract::SubjectKind::kNode);
  CHECK(reasons(plan) == std::vector<std::string>(4));
}

TEST_CASE("links are the pairs of a group, the lower member first") {
  auto one = ring(Placement::kWorld);
  one.expect[0].for_each = "link";
  const auto plan = plan::make_plan(suite({one}), site(2, 1, 2), {});
  REQUIRE(plan.cells.size() == 12);
  std::set<std::string> labels;
  for (const auto& cell : plan.cells) labels.insert(model::label(cell.subject));
  CHECK(labels.size() == 6);
  CHECK(labels.contains("node0/GPU-0-1 - node1/GPU-1-0"));
  CHECK_FALSE(labels.contains("node1/GPU-1-0 - node0/GPU-0-1"));

  one.members = config::Members::kRanks;
  const auto ranks = plan::make_plan(suite({one}), site(1, 3), {});
  REQUIRE(ranks.cells.size() == 6);
  CHECK(model::label(ranks.cells[0].subject) == "node0/rank 0 - node0/rank 1");
}

TEST_CASE("a step with rounds owes the links of these alone") {
  auto one = ring(Placement::kWorld);
  one.expect.resize(1);
  one.expect[0].each.clear();
  one.rounds = 3;
  const auto cells = [&](const std::string& for_each) {
    one.expect[0].for_each = for_each;
    return plan::make_plan(suite({one}), site(4, 1, 2), {}).cells.size();
  };
  CHECK(std::vector{cells("link"), cells("path"), cells("")} ==
        std::vector<std::size_t>{12, 24, 1});
}

TEST_CASE("a process for the whole node can need a device") {
  auto mixed = site(2, 1, 2);
  mixed.nodes[1].devices.clear();
  auto one = step("copy", Placement::kNode);
  one.needs_device = true;
  one.no_gpu_waives = true;
  const auto plan = plan::make_plan(suite({one}), mixed, {});
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(plan.steps[0].instances.size() == 1);
  CHECK(plan.steps[0].instances[0].subject.host == "node0");
  CHECK(reasons(plan) == std::vector<std::string>{"", "", "no device here", "no device here"});
}

TEST_CASE("one process of a node can owe a cell for each of its devices") {
  auto one = step("copy", Placement::kNode);
  one.expect[0].for_each = "device";
  const auto plan = plan::make_plan(suite({one}), site(1, 1, 2), {});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[0].subject.kind == contract::SubjectKind::kDevice);
  CHECK(model::label(plan.cells[1].subject) == "node0/GPU-0-1");
  const auto bare = plan::make_plan(suite({one}), site(1, 1), {});
  REQUIRE(bare.cells.size() == 2);
  CHECK(bare.cells[0].subject.kind == contract::SubjectKind::kNode);
}

TEST_CASE("links of a node are the pairs of its devices, and without any the node owes") {
  auto one = step("copy", Placement::kNode);
  one.expect[0].for_each = "link";
  CHECK(plan::make_plan(suite({one}), site(1, 1, 4), {}).cells.size() == 12);
  CHECK(plan::make_plan(suite({one}), site(1, 1, 1), {}).cells.empty());
  auto ways = one;
  ways.expect[0].for_each = "path";
  const auto paths = plan::make_plan(suite({ways}), site(1, 1, 3), {});
  REQUIRE(paths.cells.size() == 12);
  std::set<std::string> labels;
  for (const auto& cell : paths.cells) labels.insert(model::label(cell.subject));
  CHECK(labels.contains("node0/GPU-0-0 - node0/GPU-0-2"));
  CHECK(labels.contains("node0/GPU-0-2 - node0/GPU-0-0"));
  const auto bare = plan::make_plan(suite({one}), site(1, 1), {});
  REQUIRE(bare.cells.size() == 2);
  CHECK(bare.cells[0].subject.kind == contract::SubjectKind::kNode);
}

TEST_CASE("the number of ranks is that of the group's members") {
  auto one = ring(Placement::kGroups);
  one.expect = {{"m", {{"ranks", {std::string("$ranks")}}}, "", true, ""}};
  const auto plan = plan::make_plan(suite({one}), site(2, 1, 4), {});
  REQUIRE(plan.cells.size() == 2);
  CHECK(plan.cells[1].parameters.at("ranks") == Scalar(std::int64_t{4}));
}

TEST_CASE("parameters multiply out, and $ranks is the number of ranks") {
  auto one = step("a", Placement::kNode);
  one.expect = {{"m",
                 {{"x", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}},
                  {"y", {std::string("p"), std::string("q")}},
                  {"ranks", {std::string("$ranks")}}},
                 "",
                 true,
                 ""}};
  const auto plan = plan::make_plan(suite({one}), site(1, 5), {});
  REQUIRE(plan.cells.size() == 6);
  std::set<std::string> ids;
  for (const auto& cell : plan.cells) {
    ids.insert(cell.id);
    CHECK(cell.parameters.at("ranks") == Scalar(std::int64_t{5}));
  }
  CHECK(ids.size() == 6);
}

TEST_CASE("cells for each NUMA domain only where there are several") {
  auto one = step("a", Placement::kNode);
  one.expect = {{"m", {}, "numa", true, ""}};
  CHECK(plan::make_plan(suite({one}), site(1, 1), {}).cells.empty());
  const auto plan = plan::make_plan(suite({one}), site(1, 1, 0, 4), {});
  REQUIRE(plan.cells.size() == 4);
  CHECK(plan.cells[3].parameters.at("domain") == Scalar(std::string("numa3")));
}

TEST_CASE("waived and optional expectations say so in their cells") {
  auto one = step("a", Placement::kNode);
  one.expect[0].waived = "not on this machine";
  one.expect[0].required = false;
  const auto plan = plan::make_plan(suite({one}), site(1, 1), {});
  CHECK(plan.cells[0].waived == "not on this machine");
  CHECK_FALSE(plan.cells[0].required);
}

TEST_CASE("a selection keeps by id, program or bench, and leaves a trace of the rest") {
  const auto both = suite({step("stream", Placement::kNode), step("gemm", Placement::kNode)});
  const auto kept = [&](const plan::Selection& selection) {
    std::string out;
    for (const auto& placed : plan::make_plan(both, site(1, 1), selection).steps) {
      out += placed.step.id + " ";
    }
    return out;
  };
  CHECK(kept({}) == "stream gemm ");
  CHECK(kept({{"str*"}, {}}) == "stream ");
  CHECK(kept({{"gemm-host"}, {}}) == "gemm ");
  CHECK(kept({{}, {"gemm"}}) == "stream ");
  CHECK(kept({{"*"}, {"*"}}).empty());
  const auto plan = plan::make_plan(both, site(1, 1), {{"gemm"}, {}});
  REQUIRE(plan.infos.size() == 2);
  CHECK(plan.infos[0].state == model::StepState::kLeftOut);
  CHECK(model::is_left_out(plan.infos[0]));
  CHECK(plan::names(both) ==
        std::vector<std::string>{"stream", "stream-host", "gemm", "gemm-host"});
}
