#include "reports/html/data.hpp"

#include "reports/html/html.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::html {

using namespace rendered;
using model::Outcome;

namespace {

std::string data(const model::Report& report) { return data_of(report, Quantities(report)); }

}  // namespace

TEST_CASE("a column whose numbers are alike is one number") {
  model::Report report;
  report.cells = {cell_of("node1", Outcome::kFail), cell_of("node2", Outcome::kFail)};
  const std::string text = data(report);
  CHECK(has(text, "\"values\":8e+09,\"low\":1e+10,\"expected\":1e+10}"));
  CHECK_FALSE(has(text, "\"high\""));
  CHECK(has(text, "\"subjects\":0,\"codes\":\"AAA=\""));
  CHECK(has(text, "\"subjects\":[\"node1\",\"node2\"]"));
  CHECK(has(text, "\"codes\":[[\"fail\",\"some-reason\",true]]"));
}

TEST_CASE("numbers that differ and those that are missing are a packed column") {
  model::Report report;
  report.cells = {cell_of("node1", Outcome::kPass), cell_of("node2", Outcome::kUntested)};
  const std::string text = data(report);
  CHECK(has(text, "\"values\":\"KGvuTwAAwH8=\""));  // 8e9 and no number, each of four bytes
  CHECK(has(text, "[\"untested\",\"some-reason\",true]"));
}

TEST_CASE("subjects out of order are told one by one") {
  model::Report report;
  report.cells = {cell_of("node1", Outcome::kPass), cell_of("node2", Outcome::kPass)};
  model::Cell other = cell_of("node2", Outcome::kPass);
  other.step = "again";
  report.cells.push_back(other);
  other.subject.host = "node1";
  report.cells.push_back(other);
  CHECK(has(data(report), "\"subjects\":\"AQAAAAAAAAA=\""));
}

TEST_CASE("links tell their ends and quantities over sizes their bytes") {
  model::Report report;
  report.cells = {link_of("node1", "node2", 5e9, Outcome::kPass)};
  report.cells[0].parameters["bytes"] = std::int64_t{1} << 40;
  const std::string text = data(report);
  CHECK(has(text, "\"ends\":[\"node1\",\"node2\"],\"from\":\"AAAAAA==\",\"to\":\"AQAAAA==\""));
  CHECK(has(text, "\"size\":1099511627776"));
  CHECK(has(text, "\"kind\":\"link\""));
}

TEST_CASE("what did not pass has its reason and causes, and what was recorded meanwhile") {
  model::Report report;
  report.cells = {cell_of("node1", Outcome::kPass), cell_of("node2", Outcome::kFail)};
  report.cells[1].causes = {{"power-cap", "node2", "power cap <600 W>"}};
  report.cells[1].measurements[0].attempt = "n1";
  model::Attempt& attempt = report.attempts.emplace_back();
  attempt.nonce = "n1";
  attempt.recorded = {{"gpu.power", "GPU-1", "W", 9, 500, 590, 600, 600, {}, {{"hot", 0.5}}, ""}};
  const std::string text = data(report);
  CHECK(has(text, "\"notes\":[[0,1,\"some-reason: because of it\","));
  CHECK(has(text, "power cap \\u003c600 W\\u003e"));
  CHECK(has(text,
            "[\"gpu.power\",\"GPU-1\",\"min 500 W, median 590 W, p95 600 W, max 600 W, "
            "hot 50 % of the time\"]"));
}

TEST_CASE("notes do not grow with the sickness of the cluster") {
  model::Report report;
  report.cells.assign(5000, cell_of("node1", Outcome::kUntested));
  CHECK(occurrences(data(report), "because of it") == 2000);
}

TEST_CASE("hundreds of reasons do not give a cell the outcome of another") {
  model::Report report;
  for (int i = 0; i < 400; ++i) {
    report.cells.push_back(cell_of("node" + std::to_string(i), Outcome::kPass));
    report.cells.back().verdict.reason_id = "reason" + std::to_string(i);
  }
  report.cells.push_back(cell_of("bad", Outcome::kFail));
  const std::string text = data(report);
  CHECK(has(text, "[\"pass\",\"reason240\",true],[\"pass\",\"\",true],[\"fail\",\"\",true]]"));
  CHECK(has(text, "8fHx8fI=\""));  // 241, ..., 241, 242
}

TEST_CASE("hostile text does not end the data") {
  const std::string text = data(hostile());
  CHECK_FALSE(has(text, "<"));
  CHECK_FALSE(has(text, "&"));
  CHECK_FALSE(has(text, "\n"));
}

TEST_CASE("the page with charts is the page with one script more") {
  model::Report report;
  report.cells = {cell_of("node1", Outcome::kFail)};
  const std::string text = render_with_charts(report);
  if (!has_charts()) {
    CHECK(text == render(report));
    return;
  }
  CHECK(has(text, "; script-src 'sha256-"));
  CHECK(occurrences(text, "<script") == 2);
  CHECK(occurrences(text, "</script") == 2);
  CHECK(has(text, "<div id=\"more\"></div>"));
}

}  // namespace rackproof::html
