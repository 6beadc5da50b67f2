#include "harness/warden/clock.hpp"

#include <catch2/catch.hpp>

using rackproof::warden::SystemClock;

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

TEST_CASE("UTC can be counted with, and what is none cannot") {
  using rackproof::warden::unix_seconds;
  CHECK(unix_seconds("1970-01-01T00:00:00.000Z") == 0);
  CHECK(*unix_seconds("2030-01-01T00:00:01.250Z") == Approx(1'893'456'001.25));
  CHECK(*unix_seconds("2038-01-19T03:14:08.000Z") == Approx(2'147'483'648.0));
  CHECK(unix_seconds(SystemClock().utc()).has_value());
  for (const char* text : {"", "yesterday", "2030-01-01T00:00:01Z", "2030-01-01 00:00:01.250Z",
                           "2030-01-01T00:00:01.25xZ"}) {
    CHECK_FALSE(unix_seconds(text));
  }
}
