#include "benches/swing/load.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

#include "benches/kit/host.hpp"

namespace rackproof::swing {
namespace {

LoadPlan plan_from(const OwnClock& clock, int pulses, double lead = 0.02) {
  LoadPlan plan;
  const double start = clock.now() + lead;
  plan.pulses = square_wave(start, 50, 0.5, pulses, 0);
  plan.trace = WorkTrace(start - 1, 1000, 2);
  return plan;
}

Place place(bool crowded = true) { return {{kit::allowed_cpus().front()}, crowded}; }

double work_in(const LoadResult& result) {
  return std::accumulate(result.trace.bins().begin(), result.trace.bins().end(), 0.0);
}

}  // namespace

TEST_CASE("ranks of a host share its processors, or take turns") {
  const std::vector<int> cpus{0, 2, 4, 6, 8};
  CHECK(share_of(cpus, 0, 1) == cpus);
  CHECK(share_of(cpus, 0, 2) == std::vector<int>{0, 2});
  CHECK(share_of(cpus, 1, 2) == std::vector<int>{4, 6, 8});
  CHECK(share_of(cpus, 6, 7) == std::vector<int>{2});
}

TEST_CASE("no pulse begins before its time or ends before it is over, and all work is right") {
  const OwnClock clock(wall_seconds(), 0.3);
  const std::atomic<bool> stop{false};
  for (const bool crowded : {true, false}) {
    const LoadPlan plan = plan_from(clock, 5);
    const LoadResult result = HostLoad(place(crowded)).run(plan, clock, stop, std::nullopt);
    REQUIRE(result.rises.size() == 5);
    REQUIRE(result.falls.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(result.rises[i] >= plan.pulses[i].on);
      CHECK(result.falls[i] >= plan.pulses[i].off);
    }
    CHECK(result.wrong == 0);
    CHECK_FALSE(result.first_wrong);
    CHECK(result.compared >= 5 * static_cast<std::int64_t>(kLanes));
    CHECK(work_in(result) * static_cast<double>(kLanes) ==
          Approx(static_cast<double>(result.compared)));
  }
}

TEST_CASE("pulses that were missed are begun late, one piece of work each") {
  const OwnClock clock(wall_seconds(), 0);
  const std::atomic<bool> stop{false};
  const LoadResult result =
      HostLoad(place()).run(plan_from(clock, 3, -5), clock, stop, std::nullopt);
  CHECK(result.rises.size() == 3);
  CHECK(result.compared == 3 * static_cast<std::int64_t>(kLanes));
}

TEST_CASE("a flipped bit is found where it is") {
  const OwnClock clock(wall_seconds(), 0);
  const std::atomic<bool> stop{false};
  Place both = place();
  both.cpus.push_back(both.cpus.front());
  const LoadResult result =
      HostLoad(both).run(plan_from(clock, 2), clock, stop, kit::Injection{77, 3});
  CHECK(result.wrong == 1);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->pulse == 1);
  CHECK(result.first_wrong->element == 77 % kLanes);
  CHECK(result.first_wrong->got != result.first_wrong->want);
}

TEST_CASE("a load that is told to stop does not wait for its pulses") {
  const OwnClock clock(wall_seconds(), 0);
  std::atomic<bool> stop{false};
  LoadPlan plan = plan_from(clock, 1);
  plan.pulses = square_wave(clock.now(), 1e-6, 0.5, 2, 0.5);  // not today
  std::thread teller([&] {
    clock.sleep_until(clock.now() + 0.05);
    stop = true;
  });
  const LoadResult result = HostLoad(place()).run(plan, clock, stop, std::nullopt);
  teller.join();
  CHECK(result.rises.empty());
  CHECK(result.compared == 0);
}

}  // namespace rackproof::swing
