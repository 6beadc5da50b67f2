#include "harness/peers/fabric_ports.hpp"

#include <catch2/catch.hpp>

namespace model = rackproof::model;
namespace peers = rackproof::peers;

namespace {

void put_text(std::map<std::string, model::Fact>& facts, const std::string& name,
              const std::string& text) {
  facts[name] = {rackproof::contract::Scalar(text), "a file", ""};
}

model::NodeInventory with_two_adapters() {
  model::NodeInventory node;
  node.host = "gb-07";
  put_text(node.facts, "infiniband.mlx5_0.node_guid", "a088:c203:00ab:0000");
  put_text(node.facts, "infiniband.mlx5_1.node_guid", "a088:c203:00ab:0010");
  put_text(node.facts, "fabric.mlx5_1.leaf", "leaf2");
  put_text(node.facts, "fabric.mlx5_1.leaf_port", "31");
  put_text(node.facts, "fabric.mlx5_1.rail", "3");
  put_text(node.facts, "fabric.mlx5_1.cable_serial", "MT2325VS01234");
  return node;
}

model::DeviceFacts near(const std::string& adapters) {
  model::DeviceFacts gpu;
  put_text(gpu.facts, "gpu.near_adapters", adapters);
  return gpu;
}

}  // namespace

TEST_CASE("a port is told with what is known of it") {
  const auto ports = peers::fabric_ports(with_two_adapters());
  REQUIRE(ports.size() == 1);
  CHECK(peers::text_of(ports[0]) == "NIC mlx5_1, rail 3, leaf2 port 31, cable MT2325VS01234");
  CHECK(peers::text_of({"eth2", "", "", "7", ""}) == "NIC eth2, port 7");
  CHECK(peers::text_of({"eth2", "", "tor1", "", ""}) == "NIC eth2, tor1");
}

TEST_CASE("a GPU leaves by the one RDMA adapter next to it, whether the topology knows it or not") {
  const auto node = with_two_adapters();
  const auto known = near("mlx5_1");
  REQUIRE(peers::ports_used(node, &known).size() == 1);
  CHECK(peers::ports_used(node, &known)[0].leaf == "leaf2");
  const auto unknown = near("mlx5_0");
  REQUIRE(peers::ports_used(node, &unknown).size() == 1);
  CHECK(peers::ports_used(node, &unknown)[0].nic == "mlx5_0");
  CHECK(peers::ports_used(node, &unknown)[0].leaf.empty());
  const auto both = near("mlx5_0 mlx5_1");
  CHECK(peers::ports_used(node, &both).empty());
  const auto management = near("eth0");
  CHECK(peers::ports_used(node, &management).empty());
  const model::DeviceFacts silent;
  CHECK(peers::ports_used(node, &silent).empty());
}

TEST_CASE("a program leaves by the only port, and by nobody knows which of several") {
  auto node = with_two_adapters();
  CHECK(peers::ports_used(node, nullptr).size() == 1);
  node.facts["fabric.mlx5_0.leaf"] = {std::nullopt, "a file", "not said"};
  CHECK(peers::ports_used(node, nullptr).empty());
  put_text(node.facts, "fabric.mlx5_0.leaf", "leaf2");
  CHECK(peers::fabric_ports(node).size() == 2);
  CHECK(peers::ports_used(node, nullptr).empty());
}

TEST_CASE("both ports of an adapter are ways that a GPU may leave by") {
  auto node = with_two_adapters();
  put_text(node.facts, "fabric.mlx5_1.port2.leaf", "leaf3");
  const auto gpu = near("mlx5_1");
  CHECK(peers::ports_used(node, &gpu).size() == 2);
}

TEST_CASE("a link between hosts has the places of both ends, or none") {
  model::Report report;
  report.nodes = {with_two_adapters(), with_two_adapters()};
  report.nodes[1].host = "gb-09";
  model::Subject link;
  link.kind = rackproof::contract::SubjectKind::kLink;
  link.host = "gb-07";
  link.peer_host = "gb-09";
  const std::string port = "NIC mlx5_1, rail 3, leaf2 port 31, cable MT2325VS01234";
  CHECK(peers::ends_text(report, link) == " (gb-07: " + port + "; gb-09: " + port + ")");
  report.nodes[1].facts.erase("fabric.mlx5_1.leaf");
  CHECK(peers::ends_text(report, link).empty());
  link.peer_host = "gb-07";
  CHECK(peers::ends_text(report, link).empty());
  link.kind = rackproof::contract::SubjectKind::kNode;
  CHECK(peers::ends_text(report, link).empty());
}
