#include "benches/swing/device_load.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

#include "tests/device/sizes.hpp"

namespace rackproof::swing {
namespace {

const std::int64_t kSize = device_tests::kOnHost ? 64 : 4096;

LoadPlan plan_from(const OwnClock& clock, int pulses, double lead = 0.02) {
  LoadPlan plan;
  const double start = clock.now() + lead;
  plan.pulses = square_wave(start, 10, 0.5, pulses, 0);
  plan.trace = WorkTrace(start - 1, 1000, 2);
  return plan;
}

double work_in(const LoadResult& result) {
  return std::accumulate(result.trace.bins().begin(), result.trace.bins().end(), 0.0);
}

}  // namespace

TEST_CASE("no pulse of a device begins before its time, and all work is right") {
  DeviceLoad load(0, "here", kSize, 1);
  const OwnClock clock(wall_seconds(), 0.3);
  const std::atomic<bool> stop{false};
  const LoadPlan plan = plan_from(clock, 4);
  const LoadResult result = load.run(plan, clock, stop, std::nullopt);
  REQUIRE(result.rises.size() == 4);
  REQUIRE(result.falls.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(result.rises[i] >= plan.pulses[i].on - result.tied);
    CHECK(result.falls[i] > result.rises[i]);
  }
  CHECK(result.wrong == 0);
  CHECK(work_in(result) >= 4 - 1e-6);
  // The product that was proved before is counted with the first load alone.
  const LoadResult again = load.run(plan_from(clock, 1, -5), clock, stop, std::nullopt);
  CHECK(again.compared % (kSize * kSize) == 0);
  CHECK(again.rises.size() == 1);
  CHECK(work_in(again) == Approx(1));
}

TEST_CASE("a flipped bit is found in the pulse in which it was") {
  DeviceLoad load(0, "here", kSize, 1);
  const OwnClock clock(wall_seconds(), 0);
  const std::atomic<bool> stop{false};
  const LoadResult result = load.run(plan_from(clock, 2), clock, stop, kit::Injection{77, 3});
  CHECK(result.wrong == 1);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->pulse == 1);
  CHECK(result.first_wrong->element == 77);
  CHECK(result.first_wrong->got != result.first_wrong->want);
  CHECK(load.run(plan_from(clock, 1), clock, stop, std::nullopt).wrong == 0);
}

TEST_CASE("a device's load that is told to stop does not wait for its pulses") {
  DeviceLoad load(0, "here", kSize, 1);
  const OwnClock clock(wall_seconds(), 0);
  std::atomic<bool> stop{false};
  LoadPlan plan = plan_from(clock, 1);
  plan.pulses = square_wave(clock.now(), 1e-6, 0.5, 2, 0.5);  // not today
  std::thread teller([&] {
    clock.sleep_until(clock.now() + 0.05);
    stop = true;
  });
  const LoadResult result = load.run(plan, clock, stop, std::nullopt);
  teller.join();
  CHECK(result.rises.empty());
  CHECK(result.wrong == 0);
}

}  // namespace rackproof::swing
