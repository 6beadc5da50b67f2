#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet network_of(const Machine& machine) {
  FactSheet sheet;
  collect_nics(FileTree(machine.root()), sheet);
  collect_infiniband(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("network interfaces with hardware behind them") {
  const FactSheet sheet = network_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "nic.count") == 2);
  CHECK(number_in(sheet, "nic.eno1.speed_bits_per_second") == 25e9);
  CHECK(number_in(sheet, "nic.eno1.mtu_bytes") == 9000);
  CHECK(text_in(sheet, "nic.eno1.driver") == "bnxt_en");
  CHECK(text_in(sheet, "nic.eno1.type") == "ethernet");
  CHECK(number_in(sheet, "nic.eno1.numa_node") == 1);
  CHECK(why_in(sheet, "nic.eno2.speed_bits_per_second") == "the driver does not know");
  CHECK(why_in(sheet, "nic.eno2.numa_node") == "the firmware gives no NUMA node");
  CHECK(text_in(sheet, "nic.eno2.state") == "down");
}

TEST_CASE("virtual interfaces are counted and named only") {
  const FactSheet sheet = network_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "nic.virtual_count") == 2);
  CHECK(text_in(sheet, "nic.virtual_names") == "docker0 lo");
  CHECK_FALSE(sheet.find("nic.lo.mtu_bytes"));
}

TEST_CASE("hundreds of virtual interfaces stay short") {
  const Machine machine;
  for (int i = 100; i < 300; ++i) {
    machine.write("/sys/class/net/veth" + std::to_string(i) + "/mtu", "1500");
  }
  const FactSheet sheet = network_of(machine);
  CHECK(number_in(sheet, "nic.virtual_count") == 200);
  CHECK(text_in(sheet, "nic.virtual_names").size() < 200);
}

TEST_CASE("a bond counts as a network interface") {
  const FactSheet sheet = network_of(Machine("grace"));
  CHECK(number_in(sheet, "nic.bond0.speed_bits_per_second") == 200e9);
  CHECK(text_in(sheet, "nic.bond0.driver") == "bonding");
}

TEST_CASE("InfiniBand ports") {
  const FactSheet sheet = network_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "infiniband.count") == 1);
  CHECK(text_in(sheet, "infiniband.mlx5_0.firmware") == "20.39.1002");
  CHECK(number_in(sheet, "infiniband.mlx5_0.port1.rate_bits_per_second") == 200e9);
  CHECK(text_in(sheet, "infiniband.mlx5_0.port1.state") == "ACTIVE");
  CHECK(text_in(sheet, "infiniband.mlx5_0.port1.link_layer") == "InfiniBand");
  CHECK(number_in(sheet, "infiniband.mlx5_0.numa_node") == 3);
  CHECK(text_in(network_of(Machine("grace")), "infiniband.mlx5_0.port1.state") == "DOWN");
}

TEST_CASE("an adapter with its identity its link on the bus and what its port counted") {
  const FactSheet sheet = network_of(Machine("dgx-h100"));
  CHECK(number_in(sheet, "infiniband.count") == 2);
  CHECK(text_in(sheet, "infiniband.mlx5_0.node_guid") == "a088:c203:00ab:7bfe");
  CHECK(number_in(sheet, "infiniband.mlx5_0.port1.width") == 4);
  CHECK(number_in(sheet, "infiniband.mlx5_0.pcie_width") == 16);
  CHECK(number_in(sheet, "infiniband.mlx5_1.pcie_width") == 8);
  CHECK(number_in(sheet, "infiniband.mlx5_1.pcie_width_max") == 16);
  CHECK(text_in(sheet, "infiniband.mlx5_0.pcie_speed") == "32.0 GT/s PCIe");
  CHECK(number_in(sheet, "infiniband.mlx5_1.port1.link_downed") == 2);
  CHECK_FALSE(sheet.find("infiniband.mlx5_1.port1.port_xmit_discards"));
}

TEST_CASE("an adapter is known by the GUID of its port and by its interfaces") {
  const Machine machine("grace");
  const std::string adapter = "/sys/class/infiniband/mlx5_0";
  CHECK_FALSE(network_of(machine).find("infiniband.mlx5_0.interfaces"));
  machine.write(adapter + "/device/net/eth2/mtu", "9000");
  machine.write(adapter + "/device/net/ib0/mtu", "2044");
  machine.write(adapter + "/ports/1/gids/0", "fe80:0000:0000:0000:a088:c203:00ab:7bff\n");
  machine.write(adapter + "/ports/1/link_layer", "InfiniBand\n");
  CHECK(text_in(network_of(machine), "infiniband.mlx5_0.interfaces") == "eth2 ib0");
  CHECK(text_in(network_of(machine), "infiniband.mlx5_0.port1.guid") == "a088:c203:00ab:7bff");
  // What stands there on Ethernet is made of the address of the interface.
  machine.write(adapter + "/ports/1/link_layer", "Ethernet\n");
  CHECK_FALSE(network_of(machine).find("infiniband.mlx5_0.port1.guid"));
}

TEST_CASE("a rate in another form is not guessed") {
  const Machine machine("grace");
  machine.write("/sys/class/infiniband/mlx5_0/ports/1/rate", "fast");
  CHECK(why_in(network_of(machine), "infiniband.mlx5_0.port1.rate_bits_per_second") ==
        "not a rate: \"fast\"");
}

TEST_CASE("a node without any network") {
  const FactSheet sheet = network_of(Machine());
  CHECK(number_in(sheet, "nic.count") == 0);
  CHECK(number_in(sheet, "infiniband.count") == 0);
}

}  // namespace rackproof::inventory
