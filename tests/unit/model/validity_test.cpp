#include "reports/model/validity.hpp"

#include <catch2/catch.hpp>
#include <limits>

using rackproof::model::Amends;
using rackproof::model::Report;
using rackproof::model::valid_until;

TEST_CASE("a report is valid for as long as its suite says, from the begin of its run") {
  Report report;
  report.run.began_utc = "2026-11-27T20:00:00.500Z";
  CHECK(valid_until(report).empty());
  report.suite.valid_seconds = 90 * 24 * 3600.0;
  CHECK(valid_until(report) == "2027-02-25T20:00:00.500Z");
  report.run.began_utc = "some day";
  CHECK(valid_until(report).empty());
}

TEST_CASE("one that amends another is valid from its oldest evidence on") {
  Report report;
  report.run.began_utc = "2026-11-27T20:00:00.000Z";
  report.suite.valid_seconds = 24 * 3600.0;
  report.amends = Amends{};
  CHECK(valid_until(report) == "2026-11-28T20:00:00.000Z");
  report.amends->oldest_utc = "2026-10-01T00:00:00.000Z";
  CHECK(valid_until(report) == "2026-10-02T00:00:00.000Z");
}

TEST_CASE("a time that is none is no validity") {
  Report report;
  report.run.began_utc = "2026-11-27T20:00:00.000Z";
  for (const double seconds : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()}) {
    report.suite.valid_seconds = seconds;
    CHECK(valid_until(report).empty());
  }
}
