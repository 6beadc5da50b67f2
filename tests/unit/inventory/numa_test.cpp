#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet numa_of(const Machine& machine) {
  FactSheet sheet;
  collect_numa(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("four NUMA domains") {
  const FactSheet sheet = numa_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "numa.count") == 4);
  CHECK(number_in(sheet, "numa.count_with_cpus") == 4);
  CHECK(text_in(sheet, "numa.node2.cpus") == "4-5,12-13");
  CHECK(number_in(sheet, "numa.node0.memory_bytes") == 264128085.0 * 1024);
  CHECK(text_in(sheet, "numa.distances") == "10 12 32 32; 12 10 32 32; 32 32 10 12; 32 32 12 10");
}

TEST_CASE("domains of memory alone, and empty ones") {
  const FactSheet sheet = numa_of(Machine("grace"));
  CHECK(number_in(sheet, "numa.count") == 3);
  CHECK(number_in(sheet, "numa.count_with_cpus") == 1);
  CHECK(number_in(sheet, "numa.count_with_memory") == 2);
  CHECK(text_in(sheet, "numa.node1.cpus").empty());
  CHECK(number_in(sheet, "numa.node2.memory_bytes") == 0);
}

TEST_CASE("a kernel without NUMA, and a broken domain") {
  CHECK(why_in(numa_of(Machine()), "numa.count") == "No such file or directory");
  const Machine machine;
  machine.write("/sys/devices/system/node/online", "0");
  const FactSheet sheet = numa_of(machine);
  CHECK(number_in(sheet, "numa.count") == 1);
  CHECK_FALSE(why_in(sheet, "numa.node0.cpus").empty());
  CHECK_FALSE(why_in(sheet, "numa.node0.memory_bytes").empty());
}

}  // namespace rackproof::inventory
