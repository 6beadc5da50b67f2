#include "harness/config/day.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"

using namespace rackproof;
using config::parse_time;

TEST_CASE("a time is a number and a unit of time, up to weeks") {
  CHECK(parse_time("90 s") == 90);
  CHECK(parse_time("250ms") == 0.25);
  CHECK(parse_time("10 min") == 600);
  CHECK(parse_time("12h") == 12 * 3600);
  CHECK(parse_time("30d") == 30 * 86400);
  CHECK(parse_time("1.5 w") == 10.5 * 86400);
}

TEST_CASE("a number alone is a time where a unit is meant") {
  CHECK(parse_time("90", "s") == 90);
  CHECK_THROWS_AS(parse_time("90"), support::UsageError);
}

TEST_CASE("what is no time is refused with examples") {
  for (const char* bad :
       {"", "d", "-3d", "0d", "30dd", "5 m", "inf d", "nan d", "1e400d", "2 MB"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_time(bad, "s"), support::UsageError);
  }
  CHECK_THROWS_WITH(parse_time("soon"),
                    "'soon' is not a time: expected for example 90 s, 10 min, 12 h or 30 d");
}

TEST_CASE("a day is one of the calendar") {
  CHECK(config::is_day("2028-02-29"));
  CHECK_FALSE(config::is_day("2027-02-29"));
  CHECK_FALSE(config::is_day("27-02-28"));
}
