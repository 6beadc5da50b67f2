#include "harness/rejudge/before_claims.hpp"

#include <catch2/catch.hpp>

#include "harness/support/exit_code.hpp"

namespace rackproof::rejudge {

TEST_CASE("accepted is 0 only where the report was made when that asked for limits") {
  model::Report report;
  report.acceptance = model::Acceptance::kAccepted;
  CHECK(verdict_code(report) == support::kAccepted);
  for (const char* version : {"1.0", "1.6"}) {
    report.schema_version = version;
    CHECK(verdict_code(report) == support::kVerified);
  }
  report.acceptance = model::Acceptance::kRejected;
  CHECK(verdict_code(report) == support::kRejected);
  report.acceptance = model::Acceptance::kIncomplete;
  CHECK(verdict_code(report) == support::kIncomplete);
}

TEST_CASE("the installed tables say which limits of an older report are of a machine type") {
  config::Paths paths;
  paths.platforms = RACKPROOF_SOURCE_DIR "/configs/platforms";
  model::Report report;
  report.platforms.emplace_back();
  for (const char* table :
       {"dgx-h100", "hopper", "generic", "not-installed", "../platforms/dgx-h100"}) {
    model::Baseline& baseline = report.platforms[0].baselines.emplace_back();
    baseline.table = table;
  }
  const auto generic = [&report] {
    std::vector<bool> result;
    for (const model::Baseline& one : report.platforms[0].baselines) result.push_back(one.generic);
    return result;
  };

  SECTION("a table that is not installed is not of a type") {
    report.schema_version = "1.6";
    mark_generic_limits(report, paths);
    CHECK(generic() == std::vector<bool>{false, false, true, true, true});
  }
  SECTION("a later report says so itself") {
    mark_generic_limits(report, paths);
    CHECK(generic() == std::vector<bool>(5, false));
  }
}

}  // namespace rackproof::rejudge
