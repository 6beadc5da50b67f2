#include "harness/gate/counters.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/gate/nodes.hpp"

namespace rackproof::gate {
namespace {

std::vector<Finding> after(const char* counter, const char* part, double before, double now,
                           double seconds = 600) {
  Look first = sound_look();
  first.counters[{counter, part}] = before;
  Look second = later(first, seconds);
  second.counters[{counter, part}] = now;
  return judge_counters(first, second);
}

}  // namespace

TEST_CASE("counters that stand still say nothing") {
  CHECK(judge_counters(sound_look(), later(sound_look())).empty());
}

TEST_CASE("one uncorrected error is bad, of a GPU as of the host") {
  const auto gpu = after("gpu.ecc_uncorrected", "GPU-3", 0, 1);
  REQUIRE(gpu.size() == 1);
  CHECK(gpu[0].reason == GateReason::kEccUncorrected);
  CHECK(gpu[0].part == "GPU-3");
  CHECK(gpu[0].text == "1 more uncorrected ECC errors in 10 min");
  CHECK(after("memory.uncorrected_errors", "mc0", 0, 1).at(0).reason == GateReason::kHostMemory);
  CHECK(after("pcie.fatal_errors", "0000:18:00.0", 0, 1).at(0).reason == GateReason::kPcieErrors);
  CHECK(after("gpu.nvlink_recoveries", "GPU-0", 0, 1).at(0).reason == GateReason::kNvlinkErrors);
}

TEST_CASE("corrected errors and replays are told and never bad") {
  for (const char* counter : {"gpu.ecc_corrected", "gpu.pcie_replays", "gpu.nvlink_replays",
                              "gpu.remapped_uncorrectable"}) {
    CHECK(after(counter, "GPU-1", 0, 1e6).at(0).reason == GateReason::kErrorsCounted);
  }
}

TEST_CASE("CRC errors of NVLink matter from a hundred a second on") {
  CHECK(after("gpu.nvlink_data_crc_errors", "GPU-1", 0, 59'000).at(0).reason ==
        GateReason::kErrorsCounted);
  CHECK(after("gpu.nvlink_data_crc_errors", "GPU-1", 0, 60'000).at(0).reason ==
        GateReason::kNvlinkErrors);
}

TEST_CASE("a counter that began again counts from its beginning") {
  CHECK(after("gpu.ecc_uncorrected", "GPU-3", 5, 0).empty());
  CHECK(after("gpu.ecc_uncorrected", "GPU-3", 5, 2).at(0).text ==
        "2 more uncorrected ECC errors in 10 min");
}

TEST_CASE("after a new start what is counted is all new, but for rows that stay remapped") {
  Look before = sound_look();
  before.counters[{"gpu.ecc_uncorrected", "GPU-3"}] = 2;
  before.counters[{"gpu.remapped_uncorrectable", "GPU-3"}] = 2;
  Look now = restarted(before);
  CHECK(judge_counters(before, now).empty());
  // As many as before, and all of them new.
  now.counters[{"gpu.ecc_uncorrected", "GPU-3"}] = 2;
  const auto found = judge_counters(before, now);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "2 more uncorrected ECC errors in 5 min");
}

TEST_CASE("a counter that was not there before says nothing") {
  Look now = later(sound_look());
  now.counters[{"gpu.ecc_uncorrected", "GPU-9"}] = 7;
  now.counters[{"nic.received", "eth0"}] = 1e9;
  CHECK(judge_counters(sound_look(), now).empty());
}

}  // namespace rackproof::gate
