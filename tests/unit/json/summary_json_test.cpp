#include "reports/json/summary_json.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("a summary says the verdict, and each part that did not pass with its worst cell") {
  Report report;
  report.run.id = "one";
  report.suite.id = "acceptance";
  report.acceptance = Acceptance::kRejected;
  report.acceptance_reason = "gb-07 is slow";
  report.required_counts.fail = 2;
  for (const double ratio : {0.9, 0.5}) {
    Cell& cell = report.cells.emplace_back();
    cell.id = ratio < 0.6 ? "worst" : "first";
    cell.step = "gemm";
    cell.metric = "gemm.rate";
    cell.subject.kind = contract::SubjectKind::kNode;
    cell.subject.host = "gb-07";
    cell.verdict.outcome = Outcome::kFail;
    cell.verdict.reason_id = "below-limit";
    cell.verdict.observed = ratio * 1e12;
    cell.verdict.ratio = ratio;
    cell.verdict.limit_low = 0.95e12;
    cell.measurements.emplace_back().unit = "FLOP/s";
  }
  Cell& optional = report.cells.emplace_back(report.cells.front());
  optional.required = false;
  optional.subject.host = "gb-08";
  Finding& finding = report.findings.emplace_back();
  finding.id = "clock-skew";
  finding.subject = "gb\xff";
  const std::string text = summary_json(report);
  const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(says("\"verdict\": \"rejected\""));
  CHECK(says("\"reason\": \"gb-07 is slow\""));
  CHECK(says("\"cells\": 2"));
  CHECK(says("\"cell\": \"worst\""));
  CHECK_FALSE(says("\"cell\": \"first\""));
  CHECK(says("\"unit\": \"FLOP/s\""));
  CHECK_FALSE(says("gb-08"));
  CHECK(says("\"id\": \"clock-skew\""));
  CHECK(says("\"fail\": 2"));
}

TEST_CASE("a summary of nothing is a document too") {
  const std::string text = summary_json({});
  CHECK(text.starts_with("{\n"));
  CHECK(text.find("\"parts\": []") != std::string::npos);
}

}  // namespace rackproof::model
