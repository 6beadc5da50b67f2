#include "harness/topology/attach.hpp"

#include <catch2/catch.hpp>

#include "harness/document/located_json.hpp"

using namespace rackproof;
using topology::Attachment;

namespace {

void put_fact(model::NodeInventory& node, const std::string& name, const std::string& text) {
  node.facts[name] = {contract::Scalar(text), "a file", ""};
}

/// With mlx5_0 and mlx5_1, whose interfaces are eth2 and eth3, and eth0.
model::NodeInventory host(const std::string& name, const std::string& digit) {
  model::NodeInventory node;
  node.host = name;
  put_fact(node, "nic.eth0.mtu_bytes", "1500");
  for (const std::string& number : {std::string("0"), std::string("1")}) {
    const std::string adapter = "infiniband.mlx5_" + number;
    put_fact(node, adapter + ".node_guid", "a088:c203:00" + digit + "b:00" + number + "0");
    put_fact(node, adapter + ".port1.guid", "a088:c203:00" + digit + "b:00" + number + "1");
    put_fact(node, adapter + ".interfaces", number == "0" ? "eth2" : "eth3");
    put_fact(node, "nic." + std::string(number == "0" ? "eth2" : "eth3") + ".mtu_bytes", "9000");
  }
  return node;
}

std::vector<model::NodeInventory> two_hosts() { return {host("gb-01", "a"), host("gb-02", "b")}; }

Attachment line(const std::string& name, const std::string& nic, const std::string& leaf,
                int number) {
  Attachment one;
  one.host = name;
  one.nic = nic;
  one.leaf = leaf;
  one.file = "f";
  one.line = number;
  return one;
}

std::string fact_of(const model::NodeInventory& node, const std::string& name) {
  return model::text_of(node, name).value_or("-");
}

}  // namespace

TEST_CASE("adapters are found by the GUID of port or node before any name, and by their names") {
  auto nodes = two_hosts();
  Attachment by_port = line("localhost", "mlx5_0", "leaf1", 1);
  by_port.port_guid = 0xa088c20300bb0011;  // mlx5_1 of gb-02
  Attachment by_node = line("", "", "leaf2", 2);
  by_node.node_guid = 0xa088c20300ab0000;
  Attachment by_name = line("gb-02.example.org", "eth2", "leaf3", 3);
  by_name.leaf_port = "swp7";
  by_name.rail = "0";
  by_name.cable_serial = "C7";
  const auto attached = topology::attach({by_port, by_node, by_name}, nodes);
  CHECK(attached.ports == 3);
  CHECK(fact_of(nodes[1], "fabric.mlx5_1.leaf") == "leaf1");
  CHECK(fact_of(nodes[0], "fabric.mlx5_0.leaf") == "leaf2");
  CHECK(fact_of(nodes[1], "fabric.mlx5_0.leaf") == "leaf3");
  CHECK(fact_of(nodes[1], "fabric.mlx5_0.leaf_port") == "swp7");
  CHECK(fact_of(nodes[1], "fabric.mlx5_0.rail") == "0");
  CHECK(fact_of(nodes[1], "fabric.mlx5_0.cable_serial") == "C7");
  CHECK(nodes[1].facts.at("fabric.mlx5_0.leaf").source == "f:3");
  CHECK_FALSE(nodes[1].facts.contains("fabric.mlx5_1.rail"));
}

TEST_CASE("what one file leaves out another one adds, and they may not contradict each other") {
  auto nodes = two_hosts();
  Attachment cable = line("gb-01", "mlx5_0", "", 5);
  cable.cable_serial = "C1";
  cable.file = "cables.csv";
  topology::attach({line("gb-01", "mlx5_0", "leaf1", 1), cable}, nodes);
  CHECK(fact_of(nodes[0], "fabric.mlx5_0.leaf") == "leaf1");
  CHECK(fact_of(nodes[0], "fabric.mlx5_0.cable_serial") == "C1");
  cable.leaf = "leaf9";
  CHECK_THROWS_WITH(topology::attach({line("gb-01", "eth2", "leaf1", 1), cable}, nodes),
                    Catch::Contains("cables.csv:5: leaf: 'leaf9' of gb-01 mlx5_0") &&
                        Catch::Contains("by f:1 it is 'leaf1'"));
}

TEST_CASE("a second port has a name of its own, and an interface without an adapter its own") {
  auto nodes = two_hosts();
  Attachment second = line("gb-01", "mlx5_0", "leaf1", 1);
  second.port = 2;
  topology::attach({second, line("gb-01", "eth0", "tor1", 2)}, nodes);
  CHECK(fact_of(nodes[0], "fabric.mlx5_0.port2.leaf") == "leaf1");
  CHECK(fact_of(nodes[0], "fabric.eth0.leaf") == "tor1");
}

TEST_CASE("adapters that are not named, and names without an adapter, are gaps of their host") {
  auto nodes = two_hosts();
  const auto attached =
      topology::attach({line("gb-01", "mlx5_0", "leaf1", 1), line("gb-01", "mlx5_9", "leaf1", 2),
                        line("gb-77", "mlx5_0", "leaf1", 3), line("gb-02", "mlx5_0", "leaf1", 4),
                        line("gb-02", "eth3", "leaf1", 5)},
                       nodes);
  CHECK(attached.ports == 3);
  CHECK(attached.strangers == std::vector<std::string>{"f:2: gb-01 mlx5_9"});
  REQUIRE(attached.gaps.size() == 1);
  CHECK(attached.gaps[0].subject == "gb-01");
  CHECK(attached.gaps[0].text ==
        "the topology does not say where it is connected: mlx5_1; the host has no such adapter: "
        "f:2: gb-01 mlx5_9");
  const model::Fact& unplaced = nodes[0].facts.at("fabric.mlx5_1.leaf");
  CHECK_FALSE(unplaced.value);
  CHECK_FALSE(unplaced.unreadable.empty());
}

TEST_CASE("short names of hosts count where one host has them") {
  std::vector<model::NodeInventory> nodes{host("gb-01.a.org", "a"), host("gb-01.b.org", "b"),
                                          host("gb-02.a.org", "c")};
  const auto attached =
      topology::attach({line("gb-01", "mlx5_0", "leaf1", 1), line("gb-02", "mlx5_0", "leaf1", 2),
                        line("gb-02.c.org", "mlx5_1", "leaf2", 3)},
                       nodes);
  CHECK(attached.ports == 1);
  CHECK(fact_of(nodes[2], "fabric.mlx5_0.leaf") == "leaf1");
}

TEST_CASE("a topology of other hosts is an error, with a name that one of these does not have") {
  auto nodes = two_hosts();
  CHECK_THROWS_WITH(topology::attach({line("gb-77", "mlx5_0", "leaf1", 3)}, nodes),
                    "f: names no adapter of a host of this run");
  CHECK_THROWS_WITH(topology::attach({line("gb-01", "mlx5_9", "leaf1", 3)}, nodes),
                    Catch::Contains("none has such as f:3: gb-01 mlx5_9"));
}

TEST_CASE("a later topology may say what an earlier one did not") {
  auto nodes = two_hosts();
  topology::attach({line("gb-01", "mlx5_0", "leaf1", 1)}, nodes);
  topology::attach({line("gb-01", "mlx5_1", "leaf2", 1)}, nodes);
  CHECK(fact_of(nodes[0], "fabric.mlx5_1.leaf") == "leaf2");
  CHECK_THROWS_AS(topology::attach({line("gb-01", "mlx5_1", "leaf3", 1)}, nodes),
                  document::ConfigError);
}

TEST_CASE("without a topology nothing is said, and places are kept from an earlier inventory") {
  auto nodes = two_hosts();
  const auto before = nodes;
  CHECK(topology::attach({}, nodes).gaps.empty());
  CHECK(nodes == before);
  topology::attach({line("gb-01", "mlx5_0", "leaf1", 1)}, nodes);
  model::NodeInventory now = host("gb-01", "a");
  topology::keep_places(nodes[0], now);
  CHECK(now == nodes[0]);
}
