#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet memory_of(const Machine& machine) {
  FactSheet sheet;
  collect_memory(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("memory and huge pages") {
  const FactSheet sheet = memory_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "memory.total_bytes") == 1056512340.0 * 1024);
  CHECK(number_in(sheet, "memory.available_bytes") == 1011223344.0 * 1024);
  CHECK(number_in(sheet, "memory.swap_total_bytes") == 0);
  CHECK(number_in(sheet, "memory.hugepages_2048kB.total") == 16);
  CHECK(number_in(sheet, "memory.hugepages_2048kB.free") == 12);
  CHECK(text_in(sheet, "memory.transparent_hugepages") == "madvise");
}

TEST_CASE("memory that cannot be read") {
  const FactSheet sheet = memory_of(Machine());
  CHECK(why_in(sheet, "memory.total_bytes") == "No such file or directory");
  CHECK(why_in(sheet, "memory.transparent_hugepages") == "No such file or directory");
  const Machine machine;
  machine.write("/proc/meminfo", "MemTotal: lots kB\n");
  machine.write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise");
  CHECK(why_in(memory_of(machine), "memory.total_bytes") == "no readable MemTotal line");
  CHECK(why_in(memory_of(machine), "memory.transparent_hugepages") == "no choice is marked");
}

}  // namespace rackproof::inventory
