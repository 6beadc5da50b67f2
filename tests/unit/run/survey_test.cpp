#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;

namespace {

model::NodeInventory machine(const std::string& id, const std::string& boot) {
  model::NodeInventory node;
  node.host = "node0";
  node.facts["host.machine_id_hash"] = {contract::Scalar(id), "a file", ""};
  node.facts["host.boot_id"] = {contract::Scalar(boot), "a file", ""};
  return recognised(node);
}

// A resumed run on the machine "a", started once.
struct Resumed {
  explicit Resumed(const model::NodeInventory& earlier) {
    stage.request.suite.steps = {step("a")};
    stage.request.segment = 2;
    stage.request.earlier_nodes = {earlier};
    stage.survey = [](const auto&) { return fakes::inventory(machine("a", "1")); };
  }
  Stage stage;
};

}  // namespace

TEST_CASE("a resumed run on the same machine says nothing of it") {
  Resumed resumed(machine("a", "1"));
  CHECK_FALSE(has_finding(resumed.stage.play(), "host-restarted"));
}

TEST_CASE("a machine that was restarted before the resume is a finding") {
  Resumed resumed(machine("a", "0"));
  const model::Report report = resumed.stage.play();
  CHECK(has_finding(report, "host-restarted", "node0"));
  CHECK(report.run.completed);
}

TEST_CASE("another machine of the same name is not merged with the first") {
  Resumed resumed(machine("b", "1"));
  CHECK_THROWS_WITH(resumed.stage.play(),
                    Catch::Contains("node0") && Catch::Contains("another machine"));
  CHECK(resumed.stage.launches().empty());
}

TEST_CASE("a machine that did not tell who it is is taken for the same") {
  model::NodeInventory silent;
  silent.host = "node0";
  Resumed resumed(silent);
  CHECK_FALSE(has_finding(resumed.stage.play(), "host-restarted"));
}

TEST_CASE("a host that is lost before it is looked at again is what it was before") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.request.segment = 2;
  model::NodeInventory other = machine("b", "1");
  other.host = "node1";
  stage.request.earlier_nodes = {machine("a", "1"), other};
  stage.survey = [&](const warden::Launch& launch) {
    if (launch.attempt.ends_with("/node1")) stage.player(1).frozen = true;
    return fakes::inventory(machine("a", "1"));
  };
  const model::Report report = stage.play();
  CHECK(has_finding(report, "rank-lost", "rank 1 on node1"));
  CHECK(has_finding(report, "inventory-failed", "node1"));
  REQUIRE(report.nodes.size() == 2);
  CHECK(model::text_of(report.nodes.back(), "host.machine_id_hash") == "b");
  CHECK(report.platform_of_host.count("node1") == 1);
}

TEST_CASE("where the first rank of a host is lost before it looked around another one does") {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a")};
  stage.survey = [&](const warden::Launch& launch) {
    if (launch.attempt.ends_with("/node1")) stage.player(2).frozen = true;
    model::NodeInventory found = machine("b", "1");
    found.host = fakes::head_of(launch).host;
    return fakes::inventory(found);
  };
  const model::Report report = stage.play();
  CHECK(has_finding(report, "rank-lost", "rank 2 on node1"));
  REQUIRE(report.nodes.size() == 2);
  CHECK(model::text_of(report.nodes.back(), "host.machine_id_hash") == "b");
}

namespace {

// The first rank of node1 is lost while it looks around, and by then there is no time left for the
// second one, which lives, to do so.
model::Report play_unseen(std::vector<model::NodeInventory> earlier) {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a")};
  stage.request.time_budget_seconds = 5;
  stage.request.segment = earlier.empty() ? 1 : 2;
  stage.request.earlier_nodes = std::move(earlier);
  stage.survey = [&stage](const warden::Launch& launch) {
    if (launch.attempt.ends_with("/node1")) stage.player(2).frozen = true;
    return fakes::inventory(machine("a", "1"));
  };
  return stage.play();
}

}  // namespace

TEST_CASE("a host with a rank that lives and no time to look around is named as unknown") {
  const model::Report report = play_unseen({});
  CHECK(has_finding(report, "inventory-failed", "node1"));
  REQUIRE(report.nodes.size() == 2);
  CHECK(report.nodes.back().host == "node1");
  CHECK(report.nodes.back().facts.empty());
}

TEST_CASE("a host whose inventory cannot be taken is named, and the run goes on") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  std::string why;
  SECTION("it says nothing") {
    stage.survey = [](const auto&) { return fakes::Performance{}; };
    why = "its process ended with exit code 0 (done) before its last record: it said nothing";
  }
  SECTION("it is killed") {
    stage.survey = [](const auto&) {
      fakes::Performance out;
      out.facts.signal = 9;
      return out;
    };
    why = "its process ended by signal 9 (SIGKILL)";
  }
  SECTION("it fails, and says why") {
    stage.survey = [](const auto&) {
      fakes::Performance out;
      out.facts.exit_code = 1;
      out.facts.err = "no such file";
      return out;
    };
    why = "and said: no such file";
  }
  SECTION("it says what is no inventory") {
    stage.survey = [](const auto&) {
      fakes::Performance out;
      out.lines.push_back({0, "{\"host\":3}", true});
      return out;
    };
  }
  SECTION("it hangs") {
    stage.survey = [](const auto&) {
      fakes::Performance out;
      out.seconds = 1e6;
      return out;
    };
  }
  const model::Report report = stage.play();
  CHECK(has_finding(report, "inventory-failed", "node0"));
  for (const model::Finding& finding : report.findings) {
    if (finding.id == "inventory-failed") CHECK_THAT(finding.text, Catch::Contains(why));
  }
  REQUIRE(report.nodes.size() == 1);
  CHECK(report.nodes[0].host == "node0");
  CHECK(report.nodes[0].facts.empty());
  CHECK(state(report, "a") == "done");
  CHECK(report.cells[0].measurements.size() == 1);
  // What else it owes is not known.
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a host that there was no time to look at again is what it was before") {
  model::NodeInventory other = machine("b", "1");
  other.host = "node1";
  const model::Report report = play_unseen({machine("a", "1"), other});
  CHECK(has_finding(report, "inventory-failed", "node1"));
  REQUIRE(report.nodes.size() == 2);
  CHECK(model::text_of(report.nodes.back(), "host.machine_id_hash") == "b");
}

namespace {

model::NodeInventory with_adapter() {
  model::NodeInventory node = machine("a", "1");
  node.facts["infiniband.mlx5_0.node_guid"] = {contract::Scalar(std::string("a088:c203:00ab:0010")),
                                               "a file", ""};
  return node;
}

topology::Attachment connected_to(const std::string& host, const std::string& leaf) {
  topology::Attachment one;
  one.host = host;
  one.nic = "mlx5_0";
  one.leaf = leaf;
  one.file = "fabric.txt";
  one.line = 3;
  return one;
}

// One host with one adapter, whose place the topology tells.
struct Placed {
  Placed() {
    stage.request.suite.steps = {step("a")};
    stage.request.topology = {connected_to("node0", "leaf2"), connected_to("node7", "leaf3")};
    stage.survey = [](const auto&) { return fakes::inventory(with_adapter()); };
  }
  Stage stage;
};

}  // namespace

TEST_CASE("what the topology says of adapters is a part of the inventory of their host") {
  Placed placed;
  const model::Report report = placed.stage.play();
  REQUIRE(report.nodes.size() == 1);
  CHECK(model::text_of(report.nodes.front(), "fabric.mlx5_0.leaf") == "leaf2");
  CHECK_FALSE(has_finding(report, "topology-gap"));
}

TEST_CASE("an adapter that the host does not have is a finding") {
  Placed placed;
  placed.stage.request.topology.push_back(connected_to("node0", "leaf2"));
  placed.stage.request.topology.back().nic = "mlx5_9";
  CHECK(has_finding(placed.stage.play(), "topology-gap", "node0"));
}

TEST_CASE("a topology of other hosts, and one that contradicts itself, begin no run") {
  Placed other;
  other.stage.request.topology = {connected_to("node7", "leaf3")};
  CHECK_THROWS_WITH(other.stage.play(),
                    Catch::Contains("fabric.txt: names no adapter of a host of this run"));
  Placed two;
  two.stage.request.topology.push_back(connected_to("node0", "leaf9"));
  CHECK_THROWS_WITH(two.stage.play(), Catch::Contains("leaf: 'leaf9' of node0 mlx5_0"));
  CHECK(two.stage.launches().empty());
}

TEST_CASE("a resumed run knows where adapters are connected from the run before it") {
  Placed placed;
  model::NodeInventory earlier = with_adapter();
  earlier.facts["fabric.mlx5_0.leaf"] = {contract::Scalar(std::string("leaf2")), "f:3", ""};
  placed.stage.request.topology.clear();
  placed.stage.request.segment = 2;
  placed.stage.request.earlier_nodes = {earlier};
  const model::Report report = placed.stage.play();
  CHECK(model::text_of(report.nodes.front(), "fabric.mlx5_0.leaf") == "leaf2");
}
