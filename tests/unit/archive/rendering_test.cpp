#include "harness/archive/rendering.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/judge/judge.hpp"
#include "harness/peers/guard.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/finding_id.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::archive {
namespace {

using test::Folder;

std::string fails(const model::Report& /*report*/, const std::string& /*folder*/) {
  throw std::runtime_error("out of colours");
}

std::string says_why(const model::Report& report, const std::string& /*folder*/) {
  return report.acceptance_reason;
}

}  // namespace

TEST_CASE("a rendering that cannot be made is a finding, and report.json is there") {
  const Folder folder;
  support::DirectoryStore store(folder.path());
  model::Report report;
  report.acceptance = model::Acceptance::kAccepted;
  report.acceptance_reason = "all is well";
  const std::vector<Rendering> wanted = {{"csv", "report.csv", says_why},
                                         {"html", "report.html", fails}};
  const std::string said = write_report(store, report, wanted).said;
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  const model::Report written = model::report_from_json(store.read("report.json").value());
  REQUIRE(written.findings.size() == 1);
  CHECK(written.findings[0].id == model::finding_id::kReportPartFailed);
  CHECK(written.findings[0].subject == "report.html");
  CHECK(written.acceptance == model::Acceptance::kIncomplete);
  // The others are of the report as it is now.
  CHECK(store.read("report.csv").value() == report.acceptance_reason);
  CHECK_FALSE(store.exists("report.html"));
  CHECK(said.find("html: could not be made") != std::string::npos);
}

}  // namespace rackproof::archive
