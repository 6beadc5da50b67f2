#include "benches/collectives/slot_plan.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::collectives;

namespace {

BatchPlan plan(std::int64_t bytes, bool in_place = false, Launch launch = Launch::kPlain) {
  return plan_slots(shape_of(Operation::kAllReduce, 8, bytes, 4), 4, in_place, launch);
}

}  // namespace

TEST_CASE("small messages have many slots of which the first are not timed") {
  CHECK(plan(8).slots == 64);
  CHECK(plan(8).lead == 2);
  CHECK(plan(8, false, Launch::kGraph).slots == 64);
  CHECK(plan(8, false, Launch::kGraph).lead == 0);
}

TEST_CASE("the shorter an operation, the more of them lie between two events") {
  constexpr std::int64_t kMiB = 1 << 20;
  CHECK(plan(8).every == 31);
  CHECK(plan(64 * 1024).every == 31);
  CHECK(plan(kMiB).every == 31);
  CHECK(plan(2 * kMiB).every == 20);
  CHECK(plan(4 * kMiB).every == 10);
  CHECK(plan(8 * kMiB).every == 4);
  CHECK(plan(16 * kMiB).every == 2);
  CHECK(plan(32 * kMiB).every == 1);
  CHECK(plan(std::int64_t{1} << 43).every == 1);
  CHECK(plan(8, false, Launch::kGraph).every == 1);
}

TEST_CASE("after the lead there is a whole number of intervals, and no fewer than there can be") {
  for (std::int64_t bytes = 8; bytes <= std::int64_t{1} << 28; bytes += bytes / 3 + 4) {
    for (const bool in_place : {false, true}) {
      const BatchPlan one = plan(bytes / 4 * 4, in_place);
      INFO(bytes << " B: " << one.slots << " slots, " << one.every << " as one");
      CHECK((one.slots - one.lead) % one.every == 0);
      CHECK(one.slots - one.lead >= one.every);
      CHECK(one.every <= 62);
      // What is left out for it is less than one more in each interval.
      const BatchPlan graph = plan(bytes / 4 * 4, in_place, Launch::kGraph);
      CHECK(one.slots <= graph.slots);
      CHECK(one.slots + (one.slots - one.lead) / one.every > graph.slots);
    }
  }
}

TEST_CASE("slots of large messages fit into the memory of a batch, and one is always there") {
  constexpr std::int64_t kMiB = 1 << 20;
  CHECK(plan(2 * kMiB).slots == 62);
  CHECK(plan(16 * kMiB).slots == 8);
  CHECK(plan(16 * kMiB).lead == 2);
  CHECK(plan(16 * kMiB, true).slots == 16);
  CHECK(plan(32 * kMiB).slots == 4);
  CHECK(plan(32 * kMiB).lead == 0);
  CHECK(plan(128 * kMiB).slots == 1);
  CHECK(plan(std::int64_t{1} << 43).slots == 1);
}

TEST_CASE("slots begin at multiples of 512 bytes") {
  CHECK(slot_stride(1) == 512);
  CHECK(slot_stride(512) == 512);
  CHECK(slot_stride(513) == 1024);
}

TEST_CASE(
    "in place the input of all_gather and the output of reduce_scatter are a rank's own block") {
  const auto of = [](Operation operation) {
    return in_place_offsets(operation, shape_of(operation, 4, 160, 4), 3);
  };
  CHECK(of(Operation::kAllGather).in == 30);
  CHECK(of(Operation::kAllGather).out == 0);
  CHECK(of(Operation::kReduceScatter).in == 0);
  CHECK(of(Operation::kReduceScatter).out == 30);
  CHECK(of(Operation::kAllReduce).in == 0);
  CHECK(of(Operation::kAllReduce).out == 0);
}
