#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet limits_of(const Machine& machine) {
  FactSheet sheet;
  collect_limits(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("process limits are the soft ones") {
  const FactSheet sheet = limits_of(Machine("epyc-two-sockets"));
  CHECK(text_in(sheet, "limit.memlock_bytes") == "unlimited");
  CHECK(number_in(sheet, "limit.open_files") == 1024);
  CHECK(number_in(limits_of(Machine("grace")), "limit.memlock_bytes") == 8388608);
  CHECK(why_in(limits_of(Machine("grace")), "limit.processes") == "no line for it");
}

TEST_CASE("the tightest cgroup of all levels holds") {
  const FactSheet sheet = limits_of(Machine("grace"));
  CHECK(number_in(sheet, "cgroup.cpus") == 3);
  CHECK(number_in(sheet, "cgroup.memory_bytes") == 68719476736.0);
  CHECK(sheet.find("cgroup.cpus")->source.find("job_7/cpu.max") != std::string::npos);
}

TEST_CASE("no limit is said, and not seeing one is something else") {
  CHECK(text_in(limits_of(Machine("epyc-two-sockets")), "cgroup.cpus") == "unlimited");
  CHECK(text_in(limits_of(Machine("epyc-two-sockets")), "cgroup.memory_bytes") == "unlimited");
  CHECK_FALSE(why_in(limits_of(Machine()), "cgroup.cpus").empty());
}

TEST_CASE("cgroups of version 1") {
  const Machine machine;
  machine.write("/proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n0::/\n");
  machine.write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "150000");
  machine.write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  machine.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  machine.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  machine.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  const FactSheet sheet = limits_of(machine);
  CHECK(number_in(sheet, "cgroup.cpus") == 1.5);
  CHECK(text_in(sheet, "cgroup.memory_bytes") == "unlimited");
}

TEST_CASE("a path outside the cgroup namespace, and nonsense") {
  const Machine machine;
  machine.write("/proc/self/cgroup", "0::/../../other\n");
  machine.write("/sys/fs/cgroup/cpu.max", "400000 100000");
  CHECK(number_in(limits_of(machine), "cgroup.cpus") == 4);
  machine.write("/proc/self/cgroup", "0::nonsense\nx\n::\n");
  CHECK(number_in(limits_of(machine), "cgroup.cpus") == 4);
  machine.write("/sys/fs/cgroup/cpu.max", "400000 0");
  CHECK(text_in(limits_of(machine), "cgroup.cpus") == "unlimited");
}

}  // namespace rackproof::inventory
