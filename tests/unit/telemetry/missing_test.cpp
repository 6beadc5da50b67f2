#include "harness/telemetry/missing.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <cmath>
#include <limits>

namespace rackproof::telemetry {

TEST_CASE("a value that is missing says why and is no number") {
  CHECK(why_missing(missing(Why::kSystem, EACCES)) == "Permission denied");
  CHECK(why_missing(missing(Why::kNonsense)) == "what was read is no such value");
  CHECK(why_missing(missing(Why::kNoAnswer, 2500)) == "no answer in 2.5 s");
  CHECK(why_missing(missing(Why::kDriver, 15)) == "the GPU is lost");
  CHECK(why_missing(missing(Why::kDriver, 999)) == "the driver gave error 999");
  CHECK(std::isnan(missing(Why::kNoAnswer, 4'000'000'000U)));
  CHECK_FALSE(is_value(missing(Why::kDriver, 15)));
}

TEST_CASE("not read this time is apart from not readable") {
  CHECK(is_not_due(missing(Why::kNotDue)));
  CHECK_FALSE(is_not_due(missing(Why::kNonsense)));
  CHECK_FALSE(is_not_due(0));
}

TEST_CASE("a NaN or an infinity of somebody else is no value either") {
  CHECK_FALSE(is_value(std::numeric_limits<double>::infinity()));
  CHECK(why_missing(std::numeric_limits<double>::quiet_NaN()) ==
        "for a reason that this version does not know");
  CHECK(is_value(0));
  CHECK(is_value(-1));
}

TEST_CASE("what a driver gives is a number of base units, or missing with the reason") {
  CHECK(sound(250, 1e-3) == Approx(0.25));
  CHECK(sound(0, 1e6) == 0);
  CHECK(why_missing(sound(-1, 1)) == "what was read is no such value");
  CHECK(why_missing(sound(std::numeric_limits<double>::infinity(), 1)) ==
        "what was read is no such value");
  CHECK(why_missing(refused(15)) == "the GPU is lost");
  // Codes that are none have no text, and are no value either.
  for (const int code : {-1, 0, 1 << 20}) CHECK_FALSE(is_value(refused(code)));
}

}  // namespace rackproof::telemetry
