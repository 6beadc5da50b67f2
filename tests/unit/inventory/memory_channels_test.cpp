#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "harness/inventory/inventory.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

constexpr const char* kPeakOfMemory = "memory.peak_bytes_per_second";

/// What others have collected of two sockets with sixteen modules of DDR5-4800 each.
struct Known {
  std::string vendor = "GenuineIntel";
  int family = 6;
  int model = 0x8f;
  std::string name = "Intel(R) Xeon(R) Platinum 8480C";
  std::int64_t modules = 32;
  std::int64_t usable_cores = 112;
  bool guest = false;
};

FactSheet computed(const Known& known) {
  const Machine machine;
  machine.write("/proc/cpuinfo", "vendor_id : " + known.vendor +
                                     "\ncpu family : " + std::to_string(known.family) +
                                     "\nmodel : " + std::to_string(known.model) +
                                     "\nmodel name : " + known.name + "\nflags : avx512f fma\n");
  FactSheet sheet;
  sheet.put("cpu.sockets", std::int64_t{2}, "test");
  sheet.put("cpu.cores", std::int64_t{112}, "test");
  sheet.put("cpu.usable_cores", known.usable_cores, "test");
  sheet.put("machine.virtual", known.guest, "test");
  sheet.put("memory.modules", known.modules, "test");
  sheet.put("memory.speed_transfers_per_second", std::int64_t{4'800'000'000}, "test");
  compute_memory_peak(FileTree(machine.root()), sheet);
  return sheet;
}

}  // namespace

TEST_CASE("two modules share a channel, and the peak is that of the channels") {
  const FactSheet sheet = computed({});
  CHECK(number_in(sheet, "memory.channels") == 16);
  CHECK(number_in(sheet, kPeakOfMemory) == Approx(614.4e9));
}

TEST_CASE("a channel without a module carries nothing") {
  Known known;
  known.modules = 8;
  CHECK(number_in(computed(known), kPeakOfMemory) == Approx(307.2e9));
}

TEST_CASE("product lines of one model number are told apart by their names") {
  Known known{"AuthenticAMD", 0x19, 0x11, "AMD EPYC 9654 96-Core Processor", 24};
  CHECK(number_in(computed(known), kPeakOfMemory) == Approx(921.6e9));
  known = {"AuthenticAMD", 0x19, 0xa0, "AMD EPYC 8534P 64-Core Processor", 24};
  CHECK(number_in(computed(known), "memory.channels") == 12);
  known = {"GenuineIntel", 6, 0x8f, "Intel(R) Xeon(R) w5-2455X", 8};
  CHECK_FALSE(why_in(computed(known), kPeakOfMemory).empty());
  known.name = "Intel(R) Xeon(R) CPU Max 9480";
  CHECK_FALSE(why_in(computed(known), "memory.channels").empty());
}

TEST_CASE("where only a part of the machine may be used there is no peak") {
  Known known;
  known.usable_cores = 56;
  CHECK(why_in(computed(known), kPeakOfMemory) == "only some of the cores may be used");
  known = {};
  known.guest = true;
  CHECK(why_in(computed(known), kPeakOfMemory) == "this is a virtual machine");
}

TEST_CASE("without the firmware's tables there is no peak") {
  const Machine machine("epyc-two-sockets");
  const auto facts = collect(machine.root()).facts;
  CHECK(facts.at("memory.channels").value == contract::Scalar(std::int64_t{16}));
  CHECK_FALSE(facts.at(kPeakOfMemory).value);
  CHECK(facts.at(kPeakOfMemory).unreadable == "modules of memory and their speed are not known");
}

}  // namespace rackproof::inventory
