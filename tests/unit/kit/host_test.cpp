#include "benches/kit/host.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "tests/unit/kit/machine.hpp"

using namespace rackproof::kit;

TEST_CASE("kernel lists of processors") {
  CHECK(parse_cpu_list("0-3,8,10-11") == std::vector<int>{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_cpu_list("5") == std::vector<int>{5});
  for (const char* bad : {"", "x", "3-1", "0-", "1;2", "0-99999999", "-1"}) {
    CHECK(parse_cpu_list(bad).empty());
  }
}

// Two sockets, two chiplets with an L3 each, SMT pairs (n, n + 4): eight processors.
TEST_CASE("caches, cores and domains of a two-socket machine") {
  Machine machine;
  machine.write("sys/devices/system/node/online", "0-1\n");
  machine.write("sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
  machine.write("sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
    const std::string core = std::to_string(cpu % 4) + "," + std::to_string(cpu % 4 + 4);
    machine.write(folder + "topology/thread_siblings_list", core + "\n");
    machine.cache(cpu, 0, 1, "Data", "32K", core);
    machine.cache(cpu, 1, 1, "Instruction", "64K", core);
    machine.cache(cpu, 2, 3, "Unified", "32768K", cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
    machine.cache(cpu, 3, 2, "Unified", "1024K", core);
  }
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(last_level_cache_bytes(all, machine.root()) == 64 << 20);
  CHECK(last_level_cache_bytes({0, 5}, machine.root()) == 32 << 20);
  CHECK(last_level_cache_bytes({}, machine.root()) == 0);
  CHECK(physical_cores(all, machine.root()) == 4);
  CHECK(one_cpu_per_core({4, 0, 1, 7}, machine.root()) == std::vector<int>{4, 1, 7});

  const auto domains = numa_domains({0, 1, 2, 6}, machine.root());
  REQUIRE(domains.size() == 2);
  CHECK(domains[0].cpus == std::vector<int>{0, 1});
  CHECK(domains[1].index == 1);
  CHECK(domains[1].cpus == std::vector<int>{2, 6});
  CHECK(numa_domains({3}, machine.root()).size() == 1);
}

TEST_CASE("a machine whose kernel says nothing") {
  const Machine machine;
  CHECK(last_level_cache_bytes({0, 1}, machine.root()) == 0);
  CHECK(one_cpu_per_core({0, 1}, machine.root()) == std::vector<int>{0, 1});
  const auto domains = numa_domains({0, 1}, machine.root());
  REQUIRE(domains.size() == 1);
  CHECK(domains[0].cpus == std::vector<int>{0, 1});
}

TEST_CASE("this machine has processors, and a thread can be bound to one") {
  const auto cpus = allowed_cpus();
  REQUIRE_FALSE(cpus.empty());
  CHECK(physical_cores(cpus) >= 1);
  CHECK_FALSE(numa_domains().empty());
  std::vector<int> after;
  bool bound = false;
  std::thread([&] {
    bound = bind_thread(cpus.back());
    after = allowed_cpus();
  }).join();
  CHECK(bound);
  CHECK(after == std::vector<int>{cpus.back()});
  CHECK_FALSE(bind_thread(-1));
  CHECK_FALSE(bind_thread(1 << 19));
}
