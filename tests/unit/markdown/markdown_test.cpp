#include "reports/markdown/markdown.hpp"

#include "reports/json/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::markdown {

using namespace rendered;
using model::Outcome;

TEST_CASE("the sample report as Markdown is the golden one") {
  golden::check("report/sample.md",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("the verdict comes first, and an empty report has no tables of cells") {
  const std::string text = render({});
  CHECK(text.starts_with("## rackproof: INCOMPLETE\n"));
  CHECK_FALSE(has(text, "###"));
  model::Report verified;
  verified.acceptance = model::Acceptance::kVerified;
  CHECK(render(verified).starts_with("## rackproof: VERIFIED, NOT ACCEPTED\n"));
}

TEST_CASE("the first twenty are shown and the rest is counted") {
  model::Report report;
  for (int i = 0; i < 30; ++i) {
    report.cells.push_back(cell_of("node" + std::to_string(i), Outcome::kFail));
  }
  const std::string text = render(report);
  CHECK(has(text, "### Failed (30)\n"));
  CHECK(occurrences(text, "| 8 GB/s | >= 10 GB/s | 80 % |") == 20);
  CHECK(has(text, "\nand 10 more\n"));
}

TEST_CASE("what was seen beside a failed cell stands with the reason") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.back().causes = {{"power-cap", "node1/GPU-1", "power cap 600 W"}};
  CHECK(has(render(report), "because of it; seen: node1/GPU-1: power cap 600 W |"));
}

TEST_CASE("cells without a number stand together") {
  model::Report report;
  report.cells.assign(3, cell_of("node1", Outcome::kUntested));
  report.cells.push_back(cell_of("node2", Outcome::kUntested));
  report.cells.back().required = false;
  const std::string text = render(report);
  CHECK(has(text, "### Untested (4)\n"));
  CHECK(has(text, "| node1 | stream | 3 | some-reason: because of it |\n| node2 (not required) |"));
}

TEST_CASE("no report is too long for a comment") {
  model::Report report;
  const std::string wide(5000, '|');
  for (int i = 0; i < 100; ++i) {
    for (const auto outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
      model::Cell cell = cell_of(wide + std::to_string(i), outcome);
      cell.subject.host = std::to_string(i) + wide;
      cell.metric = cell.step = cell.verdict.reason = wide;
      report.cells.push_back(cell);
    }
    report.findings.push_back({wide, model::Severity::kError, wide, wide, "", {}});
    report.run.labels[std::to_string(i) + wide] = wide;
  }
  report.acceptance_reason = wide;
  report.suite.id = report.run.id = report.tool.version = wide;
  const std::string text = render(report);
  CHECK(text.size() <= kMostBytes);
  CHECK(has(text, "### Findings (100)"));
}

TEST_CASE("hostile text is neither markup nor a link nor a mention") {
  const std::string text = render(hostile());
  CHECK_FALSE(has(text, "<script"));
  CHECK_FALSE(has(text, "\n=1"));
  CHECK_FALSE(has(text, "@all"));
  CHECK_FALSE(has(text, "http://"));
  CHECK_FALSE(has(text, "www."));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK(has(text,
            "&#60;script>alert(1)&#60;/script>\"';\\|\\`\\*\\[x\\](http&#58;//e.example)&#64;all"));
}

}  // namespace rackproof::markdown
