#include "reports/model/utc.hpp"

#include <catch2/catch.hpp>

using rackproof::model::unix_seconds;
using rackproof::model::utc_text;

TEST_CASE("UTC can be counted with, and what is none cannot") {
  CHECK(unix_seconds("1970-01-01T00:00:00.000Z") == 0);
  CHECK(unix_seconds("2030-01-01T00:00:01Z") == 1'893'456'001);
  CHECK(*unix_seconds("2030-01-01T00:00:01.250Z") == Approx(1'893'456'001.25));
  CHECK(*unix_seconds("2038-01-19T03:14:08.000Z") == Approx(2'147'483'648.0));
  CHECK(utc_text(1'893'456'001'250'999'999) == "2030-01-01T00:00:01.250Z");
  for (const char* text : {"", "yesterday", "2030-01-01T00:00:1Z", "2030-01-01 00:00:01.250Z",
                           "2030-01-01T00:00:01.25xZ"}) {
    CHECK_FALSE(unix_seconds(text));
  }
}
