#include "benches/kit/clock.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::kit;

TEST_CASE("the clock never goes back") {
  double last = now_seconds();
  for (int i = 0; i < 10000; ++i) {
    const double now = now_seconds();
    REQUIRE(now >= last);
    last = now;
  }
}

TEST_CASE("the resolution is a step of the clock, measured once") {
  const double resolution = clock_resolution_seconds();
  CHECK(resolution > 0);
  CHECK(resolution < 0.1);
  CHECK(clock_resolution_seconds() == resolution);
}
