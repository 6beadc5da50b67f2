#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet gpus_of(const Machine& machine) {
  FactSheet sheet;
  collect_gpus(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("NVIDIA GPUs on the bus, without switches and consoles") {
  const FactSheet sheet = gpus_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "gpu.count") == 2);
  CHECK(text_in(sheet, "gpu.pci_addresses") == "0000:07:00.0 0000:0f:00.0");
  CHECK(text_in(sheet, "gpu.pci_ids") == "10de:20b2 10de:20b2");
  CHECK(text_in(sheet, "gpu.driver").find("550.54.15") != std::string::npos);
}

TEST_CASE("no GPU and no bus are different") {
  const Machine machine;
  CHECK(why_in(gpus_of(machine), "gpu.count") == "no PCI bus is visible");
  machine.write("/sys/bus/pci/devices/0000:00:00.0/vendor", "0x8086");
  CHECK(number_in(gpus_of(machine), "gpu.count") == 0);
}

}  // namespace rackproof::inventory
