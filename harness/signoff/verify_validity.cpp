#include <fmt/format.h>

#include "harness/signoff/moment.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/clock.hpp"
#include "reports/model/validity.hpp"

namespace rackproof::signoff {

void verify_validity(const model::Report& report, const std::string& at, Screen& screen) {
  const std::string until = model::valid_until(report);
  if (until.empty() || report.acceptance != model::Acceptance::kAccepted) return;
  const std::string then = at.empty() ? moment_of(support::SystemClock().utc()) : moment_of(at);
  if (then <= moment_of(until)) {
    screen.add(State::kHolds, "validity", fmt::format("accepted until {}", until));
  } else {
    screen.add(State::kFails, "validity",
               fmt::format("the machine was accepted until {}, and that is over", until));
  }
}

}  // namespace rackproof::signoff
