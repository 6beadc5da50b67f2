#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet caches_of(const Machine& machine) {
  FactSheet sheet;
  collect_caches(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("each last-level cache is counted once, however many threads share it") {
  const FactSheet sheet = caches_of(Machine("epyc-two-sockets"));
  CHECK(number_in(sheet, "cache.llc_level") == 3);
  CHECK(number_in(sheet, "cache.llc_count") == 4);
  CHECK(number_in(sheet, "cache.llc_bytes") == 32.0 * 1048576);
  CHECK(number_in(sheet, "cache.llc_total_bytes") == 4 * 32.0 * 1048576);
  CHECK(number_in(sheet, "cache.l1d_bytes") == 32768);
  CHECK_FALSE(why_in(sheet, "cache.l2_bytes").empty());
}

TEST_CASE("one cache of a Grace node") {
  CHECK(number_in(caches_of(Machine("grace")), "cache.llc_total_bytes") == 116736.0 * 1024);
}

TEST_CASE("without cache files there is a reason") {
  const FactSheet sheet = caches_of(Machine());
  CHECK_FALSE(why_in(sheet, "cache.llc_bytes").empty());
  CHECK_FALSE(why_in(sheet, "cache.llc_total_bytes").empty());
}

TEST_CASE("a cache of an impossible size is left out") {
  const Machine machine("grace");
  machine.write("/sys/devices/system/cpu/cpu0/cache/index3/size", "-5K");
  machine.write("/sys/devices/system/cpu/cpu1/cache/index3/size", "99999999999999M");
  CHECK(number_in(caches_of(machine), "cache.llc_count") == 1);
}

}  // namespace rackproof::inventory
