#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet system_of(const Machine& machine) {
  FactSheet sheet;
  collect_system(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("what a node says about itself") {
  const FactSheet sheet = system_of(Machine("epyc-two-sockets"));
  CHECK(text_in(sheet, "host.name") == "epyc01");
  CHECK(text_in(sheet, "os.name") == "Debian GNU/Linux 12 (bookworm)");
  CHECK(text_in(sheet, "os.id") == "debian");
  CHECK(text_in(sheet, "kernel.release") == "6.1.0-28-amd64");
  CHECK(text_in(sheet, "kernel.clocksource") == "tsc");
  CHECK(text_in(sheet, "machine.vendor") == "Supermicro");
  CHECK(text_in(sheet, "machine.container") == "none seen");
  CHECK(number_in(sheet, "load.over_1_minute") == 0.42);
}

TEST_CASE("the machine id leaves the node only as a digest") {
  const FactSheet sheet = system_of(Machine("epyc-two-sockets"));
  // printf 8f3c2b1a00d94e6f9b7a5c4d3e2f1a0b | sha256sum
  CHECK(text_in(sheet, "host.machine_id_hash") == "8ea49eabe7a36351");
  CHECK(why_in(system_of(Machine("grace")), "host.machine_id_hash") == "the file is empty");
}

TEST_CASE("of the boot parameters only those that change performance are shown") {
  CHECK(text_in(system_of(Machine("epyc-two-sockets")), "kernel.parameters") ==
        "iommu=pt mitigations=off nosmt");
  CHECK(text_in(system_of(Machine("grace")), "kernel.parameters") == "init_on_alloc=0");
  CHECK(why_in(system_of(Machine()), "kernel.parameters") == "No such file or directory");
}

TEST_CASE("marks of containers") {
  const Machine docker;
  docker.write("/.dockerenv", "");
  CHECK(text_in(system_of(docker), "machine.container") == "docker");
  const Machine pod;
  pod.write("/proc/self/cgroup", "0::/kubepods.slice/kubepods-pod1.slice/cri-1.scope\n");
  CHECK(text_in(system_of(pod), "machine.container") == "kubepods");
}

TEST_CASE("a board without DMI is known by its device tree") {
  const Machine machine;
  machine.write("/proc/device-tree/model", std::string("A board\0", 8));
  machine.write("/proc/device-tree/serial-number", std::string("4711\0", 5));
  CHECK(text_in(system_of(machine), "machine.product") == "A board");
  CHECK(text_in(system_of(machine), "machine.serial") == "4711");
  CHECK(why_in(system_of(machine), "machine.vendor") == "No such file or directory");
}

}  // namespace rackproof::inventory
