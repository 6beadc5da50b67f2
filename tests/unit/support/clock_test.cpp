#include "harness/support/clock.hpp"

#include <catch2/catch.hpp>

using rackproof::support::SystemClock;

TEST_CASE("the clock goes forward and sleeps at least as long as asked") {
  SystemClock clock;
  const double before = clock.now();
  clock.sleep(0.02);
  CHECK(clock.now() - before >= 0.02);
  clock.sleep(-1);
  clock.sleep(0);
}

TEST_CASE("UTC is RFC 3339 with milliseconds") {
  const std::string utc = SystemClock().utc();
  REQUIRE(utc.size() == 24);
  CHECK(utc[4] == '-');
  CHECK(utc[10] == 'T');
  CHECK(utc[19] == '.');
  CHECK(utc.back() == 'Z');
}
