#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

std::vector<model::DeviceFacts> gpus_at(const std::vector<std::string>& addresses,
                                        const Machine& machine) {
  std::vector<model::DeviceFacts> devices;
  for (const std::string& address : addresses) {
    model::DeviceFacts device{"GPU-" + address, 0, {}};
    device.facts["gpu.pci_address"] = {contract::Scalar{address}, "NVML", ""};
    devices.push_back(device);
  }
  collect_affinity(FileTree(machine.root()), devices);
  return devices;
}

}  // namespace

TEST_CASE("each GPU knows its NUMA node and the adapter behind the same switch") {
  const auto gpus = gpus_at({"0000:1b:00.0", "0000:ad:00.0"}, Machine("dgx-h100"));
  CHECK(gpus[0].facts.at("gpu.numa_node").value == contract::Scalar{std::int64_t{0}});
  CHECK(gpus[0].facts.at("gpu.near_adapters").value == contract::Scalar{std::string("mlx5_0")});
  CHECK(gpus[1].facts.at("gpu.numa_node").value == contract::Scalar{std::int64_t{1}});
  CHECK(gpus[1].facts.at("gpu.near_adapters").value == contract::Scalar{std::string("mlx5_1")});
}

TEST_CASE("a GPU that the bus does not show has reasons instead") {
  const auto gpus = gpus_at({"0000:ff:00.0"}, Machine("dgx-h100"));
  CHECK(gpus[0].facts.at("gpu.numa_node").unreadable == "not readable");
  CHECK(gpus[0].facts.at("gpu.near_adapters").unreadable ==
        "no network adapter is on the same root of the bus");
}

}  // namespace rackproof::inventory
