#include <catch2/catch.hpp>

#include "benches/kit/host.hpp"
#include "tests/unit/kit/machine.hpp"

using namespace rackproof::kit;

namespace {

struct Box : Machine {
  Box() { write("proc/meminfo", "MemTotal: 2048 kB\nMemAvailable:    1000 kB\n"); }
};

}  // namespace

TEST_CASE("without cgroups the machine's available memory counts") {
  CHECK(available_memory_bytes(Box().root()) == 1000 << 10);
}

TEST_CASE("a cgroup v2 limit counts, and those above it") {
  Box box;
  box.write("proc/self/cgroup", "0::/a/b\n");
  box.write("sys/fs/cgroup/a/b/memory.max", "max\n");
  box.write("sys/fs/cgroup/a/b/memory.current", "5000\n");
  box.write("sys/fs/cgroup/a/memory.max", "300000\n");
  box.write("sys/fs/cgroup/a/memory.current", "200000\n");
  box.write("sys/fs/cgroup/a/memory.stat", "anon 1\nactive_file 7\ninactive_file 50000\n");
  CHECK(available_memory_bytes(box.root()) == 150000);
}

TEST_CASE("a cgroup v1 limit counts, also when only the mount point shows it") {
  Box box;
  box.write("proc/self/cgroup", "5:cpu,memory:/elsewhere\n4:cpuset:/\n");
  box.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  box.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
  CHECK(available_memory_bytes(box.root()) == 400000);
  box.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(available_memory_bytes(box.root()) == 1000 << 10);
  box.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "50000\n");
  CHECK(available_memory_bytes(box.root()) == 0);
}

TEST_CASE("this machine has memory") { CHECK(available_memory_bytes() > 0); }
