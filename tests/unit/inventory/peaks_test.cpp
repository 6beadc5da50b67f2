#include <catch2/catch.hpp>

#include "harness/inventory/inventory.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

model::Fact peak(const Machine& machine, const std::string& name = "cpu.peak_flops_fp64") {
  return collect(machine.root()).facts.at(name);
}

double value(const model::Fact& fact) { return std::get<double>(fact.value.value()); }

}  // namespace

TEST_CASE("the peak is cores x clock x rate, and says so") {
  const Machine machine("epyc-two-sockets");
  CHECK(value(peak(machine)) == Approx(8 * 3529052000.0 * 16));
  CHECK(value(peak(machine, "cpu.peak_flops_fp32")) == Approx(8 * 3529052000.0 * 32));
  const std::string source = peak(machine).source;
  CHECK(source.find("8 cores usable x 3.52905 GHz") != std::string::npos);
  CHECK(source.find("cpuinfo_max_freq") != std::string::npos);
  CHECK(source.find("16 fp64 FLOP a cycle (AMD Zen 3") != std::string::npos);
}

TEST_CASE("a cgroup limit lowers the peak") {
  CHECK(value(peak(Machine("grace"))) == Approx(3 * 3447000000.0 * 16));
  CHECK(peak(Machine("grace")).source.find("3 cores (cgroup limit)") != std::string::npos);
}

TEST_CASE("affinity lowers the peak") {
  const Machine machine("epyc-two-sockets");
  machine.write("/proc/self/status", "Cpus_allowed_list:\t0,8\n");
  CHECK(value(peak(machine)) == Approx(3529052000.0 * 16));
}

TEST_CASE("an unknown core has no peak") {
  const Machine machine("epyc-two-sockets");
  machine.write("/proc/cpuinfo",
                "vendor_id : GenuineFuture\ncpu family : 99\nmodel : 1\nflags : avx512f fma\n");
  CHECK_FALSE(peak(machine).value);
  CHECK(peak(machine).unreadable == "no table entry for vendor GenuineFuture family 99 model 1");
}

TEST_CASE("no clock or no core count, no peak") {
  const Machine machine("grace");
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.remove("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq");
  }
  CHECK(peak(machine).unreadable.find("cpu.max_clock_hertz") == 0);
  machine.remove("/sys/devices/system/cpu/online");
  CHECK(peak(machine).unreadable.find("cpu.usable_cores") == 0);
}

}  // namespace rackproof::inventory
