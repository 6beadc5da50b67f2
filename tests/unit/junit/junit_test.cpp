#include "reports/junit/junit.hpp"

#include "reports/json/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::junit {

using namespace rendered;
using model::Outcome;

TEST_CASE("the sample report as JUnit XML is the golden one") {
  golden::check("report/sample.junit.xml",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("an accepted run passes, a rejected one fails, an incomplete one is an error") {
  model::Report report;
  report.acceptance_reason = "so it is";
  report.acceptance = model::Acceptance::kAccepted;
  CHECK(has(render(report),
            "<testcase classname=\"rackproof\" name=\"acceptance\" time=\"0.000\"/>"));
  report.acceptance = model::Acceptance::kRejected;
  CHECK(has(render(report), "<failure type=\"rejected\" message=\"0 hosts, 0 GPUs: so it is\">"));
  report.acceptance = model::Acceptance::kIncomplete;
  CHECK(has(render(report), "<error type=\"incomplete\" message=\"0 hosts, 0 GPUs: so it is\">"));
  CHECK(has(render(report), "tests=\"1\" failures=\"0\" errors=\"1\""));
}

TEST_CASE("a run that is verified only is skipped, neither passed nor failed") {
  model::Report report;
  report.acceptance = model::Acceptance::kVerified;
  report.acceptance_reason = "no limit";
  report.findings.push_back(
      {"config-drift", model::Severity::kError, "n1", "something else", "", {}});
  const std::string text = render(report);
  CHECK(has(text, "<skipped message=\"0 hosts, 0 GPUs: no limit\"/>\n      <system-out>"));
  CHECK(has(text, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
}

TEST_CASE("a case fails before it is an error, and is skipped when nothing was owed") {
  model::Report report;
  report.acceptance = model::Acceptance::kAccepted;
  for (const auto& [host, outcome] :
       {std::pair("both", Outcome::kUntested), std::pair("both", Outcome::kFail),
        std::pair("unjudged", Outcome::kUnjudged), std::pair("unjudged", Outcome::kPass),
        std::pair("waived", Outcome::kWaived), std::pair("good", Outcome::kPass)}) {
    report.cells.push_back(cell_of(host, outcome));
  }
  report.cells.push_back(cell_of("aside", Outcome::kFail));
  report.cells.back().required = false;
  const std::string text = render(report);
  CHECK(has(text,
            "<testsuite name=\"stream\" tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\""));
  CHECK(has(text, "<testsuites name=\"rackproof \" tests=\"6\" failures=\"1\" errors=\"1\""));
  CHECK(has(text,
            "name=\"both\" time=\"0.000\">\n      <failure type=\"some-reason\" "
            "message=\"fail: stream.triad: 8 GB/s (median), limit &gt;= 10 GB/s, 80 % of "
            "expected; some-reason: because of it\">"));
  CHECK(has(text, "<error type=\"some-reason\" message=\"unjudged: stream.triad, some-reason: "));
  CHECK(has(text, "name=\"good\" time=\"0.000\"/>"));
}

TEST_CASE("the links of a host are one case that names them") {
  model::Report report;
  for (int peer = 0; peer < 100; ++peer) {
    report.cells.push_back(
        link_of("node0", "node" + std::to_string(peer + 1), 1e9, Outcome::kFail));
  }
  const std::string text = render(report);
  CHECK(has(text, "<testcase classname=\".stream\" name=\"links of node0\""));
  CHECK(occurrences(text, "<testcase") == 2);
  CHECK(has(text, "fail: node0 - node50, stream.triad"));
  CHECK(has(text, "and 50 more\n"));
}

TEST_CASE("times are those of the first members, without an exponent") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kPass));
  for (int member = 0; member < 3; ++member) {
    model::Attempt& attempt = report.attempts.emplace_back();
    attempt.step = "stream";
    attempt.subject.host = "node1";
    attempt.member = member;
    attempt.seconds = 1e7;
  }
  CHECK(has(render(report), "name=\"node1\" time=\"10000000.000\""));
}

TEST_CASE("hostile text stays text") {
  const std::string text = render(hostile());
  CHECK_FALSE(has(text, "<script"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\x01"));
  CHECK_FALSE(has(text, "\xEF\xBF\xBE"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  CHECK_FALSE(has(text, "\xff"));
  CHECK_FALSE(has(text, "timestamp"));
  CHECK(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;;|`"));
}

}  // namespace rackproof::junit
