#include <catch2/catch.hpp>

#include "harness/signoff/verification.hpp"

using namespace rackproof;
using signoff::State;

namespace {

model::Report accepted() {
  model::Report report;
  report.acceptance = model::Acceptance::kAccepted;
  report.run.began_utc = "2026-11-27T20:00:00.000Z";
  report.suite.valid_seconds = 90 * 24 * 3600.0;
  return report;
}

signoff::Screen screen_of(const model::Report& report, const std::string& at) {
  signoff::Screen screen;
  signoff::verify_validity(report, at, screen);
  return screen;
}

}  // namespace

TEST_CASE("an acceptance holds until its time is over") {
  for (const char* at : {"2026-11-27T20:00:00Z", "2027-02-25T19:59:59Z", "20270225195959Z"}) {
    const signoff::Screen screen = screen_of(accepted(), at);
    REQUIRE(screen.checks.size() == 1);
    CHECK(screen.checks[0].state == State::kHolds);
    CHECK(screen.checks[0].text == "accepted until 2027-02-25T20:00:00.000Z");
  }
  for (const char* at : {"2027-02-25T20:00:01Z", "2027-02-26", "2030-01-01T00:00:00Z"}) {
    const signoff::Screen screen = screen_of(accepted(), at);
    REQUIRE(screen.checks.size() == 1);
    CHECK(screen.checks[0].state == State::kFails);
    CHECK_FALSE(screen.holds());
  }
  model::Report old = accepted();
  old.run.began_utc = "2020-01-01T00:00:00.000Z";
  CHECK_FALSE(screen_of(old, "").holds());
}

TEST_CASE("what is not accepted, or has no such time, is not asked") {
  model::Report report = accepted();
  report.acceptance = model::Acceptance::kRejected;
  CHECK(screen_of(report, "2030-01-01T00:00:00Z").checks.empty());
  report = accepted();
  report.suite.valid_seconds = 0;
  CHECK(screen_of(report, "2030-01-01T00:00:00Z").checks.empty());
}
