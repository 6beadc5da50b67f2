#include "reports/model/report.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("only an accepted run exits with 0") {
  CHECK(exit_code_of(Acceptance::kAccepted) == 0);
  CHECK(exit_code_of(Acceptance::kRejected) == 3);
  CHECK(exit_code_of(Acceptance::kIncomplete) == 4);
}

TEST_CASE("a fresh report and verdict pass nothing") {
  CHECK(Report{}.acceptance == Acceptance::kIncomplete);
  CHECK(Verdict{}.outcome == Outcome::kUntested);
}

}  // namespace rackproof::model
