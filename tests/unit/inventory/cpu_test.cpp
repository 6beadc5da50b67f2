#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet cpu_of(const Machine& machine) {
  FactSheet sheet;
  collect_cpu(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("the CPUs of a two-socket EPYC node") {
  const FactSheet sheet = cpu_of(Machine("epyc-two-sockets"));
  CHECK(text_in(sheet, "cpu.vendor") == "AuthenticAMD");
  CHECK(text_in(sheet, "cpu.model") == "AMD EPYC 7763 64-Core Processor");
  CHECK(text_in(sheet, "cpu.microarchitecture") == "AMD Zen 3");
  CHECK(text_in(sheet, "cpu.architecture") == "x86_64");
  CHECK(number_in(sheet, "cpu.family") == 25);
  CHECK(number_in(sheet, "cpu.sockets") == 2);
  CHECK(number_in(sheet, "cpu.cores") == 8);
  CHECK(number_in(sheet, "cpu.threads") == 16);
  CHECK(number_in(sheet, "cpu.usable_cores") == 8);
  CHECK(flag_in(sheet, "cpu.smt"));
  CHECK(flag_in(sheet, "cpu.boost"));
  CHECK_FALSE(flag_in(sheet, "machine.virtual"));
  CHECK(text_in(sheet, "cpu.isa") == "sse4_2 avx avx2 fma");
  CHECK(text_in(sheet, "cpu.microcode") == "0xa0011d5");
  CHECK(text_in(sheet, "cpu.governor") == "performance");
  CHECK(number_in(sheet, "cpu.max_clock_hertz") == 3529052000.0);
}

TEST_CASE("the CPUs of a Grace node") {
  const FactSheet sheet = cpu_of(Machine("grace"));
  CHECK(text_in(sheet, "cpu.model") == "Arm Neoverse V2");
  CHECK(text_in(sheet, "cpu.architecture") == "aarch64");
  CHECK(text_in(sheet, "cpu.isa") == "asimd sve sve2 svebf16 bf16 i8mm");
  CHECK(number_in(sheet, "cpu.sockets") == 1);
  CHECK(number_in(sheet, "cpu.cores") == 4);
  CHECK_FALSE(flag_in(sheet, "cpu.smt"));
  CHECK(text_in(sheet, "cpu.governor") == "mixed: ondemand 2, performance 2");
  CHECK(why_in(sheet, "cpu.boost").find("intel_pstate") != std::string::npos);
  CHECK_FALSE(why_in(sheet, "machine.virtual").empty());
  CHECK(number_in(sheet, "cpu.max_clock_hertz") == 3447000000.0);
}

TEST_CASE("only the cores that the process may use are usable") {
  const Machine machine("epyc-two-sockets");
  machine.write("/proc/self/status", "Cpus_allowed_list:\t0,8,9\n");
  const FactSheet sheet = cpu_of(machine);
  CHECK(number_in(sheet, "cpu.usable_threads") == 3);
  CHECK(number_in(sheet, "cpu.usable_cores") == 2);
  CHECK(number_in(sheet, "cpu.cores") == 8);
}

TEST_CASE("without cpufreq the clock is the fastest of /proc/cpuinfo, and says so") {
  const Machine machine("epyc-two-sockets");
  for (int cpu = 0; cpu < 16; ++cpu) {
    machine.remove("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq");
  }
  const FactSheet sheet = cpu_of(machine);
  CHECK(number_in(sheet, "cpu.max_clock_hertz") == Approx(3529.052e6));
  CHECK(sheet.find("cpu.max_clock_hertz")->source.find("nominal") != std::string::npos);
  CHECK(why_in(sheet, "cpu.governor").find("no cpufreq") != std::string::npos);
}

TEST_CASE("intel_pstate says boost the other way round") {
  const Machine machine;
  machine.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  CHECK_FALSE(flag_in(cpu_of(machine), "cpu.boost"));
}

TEST_CASE("a machine that shows nothing gives reasons, not values") {
  const FactSheet sheet = cpu_of(Machine());
  for (const char* name : {"cpu.model", "cpu.threads", "cpu.cores", "cpu.usable_cores",
                           "cpu.governor", "cpu.max_clock_hertz", "cpu.architecture"}) {
    INFO(name);
    CHECK_FALSE(why_in(sheet, name).empty());
  }
}

TEST_CASE("a topology with a hole is not counted by halves") {
  const Machine machine("epyc-two-sockets");
  machine.remove("/sys/devices/system/cpu/cpu7/topology/thread_siblings_list");
  const FactSheet sheet = cpu_of(machine);
  CHECK(why_in(sheet, "cpu.cores").find("cpu7") != std::string::npos);
  CHECK(number_in(sheet, "cpu.threads") == 16);
}

}  // namespace rackproof::inventory
