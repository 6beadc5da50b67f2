#include "benches/swing/own_clock.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace rackproof::swing {

TEST_CASE("the clock begins as the wall clock and is shifted") {
  const std::int64_t base = wall_seconds();
  const OwnClock clock(base, 0);
  const double now = clock.now();
  CHECK(now >= 0);
  CHECK(static_cast<double>(base) + now < static_cast<double>(wall_seconds()) + 1.001);
  const OwnClock ahead(base, 1000);
  CHECK(std::abs(ahead.now() - clock.now() - 1000) < 100);
}

TEST_CASE("sleeping ends at its moment and not before") {
  const OwnClock clock(wall_seconds(), -0.3);
  for (const double spin : {0.0, 0.0002}) {
    const double moment = clock.now() + 0.02;
    clock.sleep_until(moment, spin);
    CHECK(clock.now() >= moment);
  }
  const double before = clock.now();
  clock.sleep_until(before - 1e9);
  CHECK(clock.now() < before + 50);
}

}  // namespace rackproof::swing
