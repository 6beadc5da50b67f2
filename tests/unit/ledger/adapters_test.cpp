#include "harness/ledger/adapters.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using ledger_test::fact;

TEST_CASE("adapters are known by GUID or address and each of them once") {
  model::NodeInventory node;
  node.facts["infiniband.mlx5_0.node_guid"] = fact("b8ce:f603:0012:3456");
  node.facts["infiniband.mlx5_0.interfaces"] = fact("ib0 ib1");
  node.facts["infiniband.mlx5_1.node_guid"] = fact("0000:0000:0000:0000");
  node.facts["nic.ib0.address"] = fact("00:00:10:49:fe:80");
  node.facts["nic.eth0.address"] = fact("b8:ce:f6:00:00:01");
  node.facts["nic.bond0.address"] = fact("b8:ce:f6:00:00:01");
  node.facts["nic.bond0.driver"] = fact("bonding");
  node.facts["nic.eth1.address"] = {std::nullopt, "/sys", "no such file"};
  const std::vector<Adapter> adapters = adapters_of(node);
  REQUIRE(adapters.size() == 2);
  CHECK(adapters[0].name == "mlx5_0");
  CHECK(adapters[0].code == "b8ce:f603:0012:3456");
  CHECK(adapters[1].name == "eth0");
  CHECK(adapters[1].code == "b8:ce:f6:00:00:01");
}

}  // namespace
}  // namespace rackproof::ledger
