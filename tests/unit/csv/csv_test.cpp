#include "reports/csv/csv.hpp"

#include <algorithm>

#include "reports/json/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::csv {

using namespace rendered;

TEST_CASE("the sample report as a table is the golden one") {
  golden::check("report/sample.csv",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("a report without cells is its head") {
  const std::string text = render({});
  CHECK(text.starts_with("run_id,began_utc,cell,"));
  CHECK(text.ends_with(",platform,causes\r\n"));
  CHECK(occurrences(text, "\n") == 1);
}

TEST_CASE("every line has every column, and numbers are exact") {
  model::Report report;
  report.cells.push_back(cell_of("node1", model::Outcome::kFail));
  report.cells.push_back(cell_of("node2", model::Outcome::kUntested));
  report.cells[0].verdict.observed = 0.1;
  report.platform_of_host["node1"] = "dgx";
  const std::string text = render(report);
  CHECK(occurrences(text, "\r\n") == 3);
  CHECK(std::count(text.begin(), text.end(), ',') == 3 * 29);
  CHECK(has(text, ",fail,some-reason,because of it,0.1,median,3,10000000000,,0.8,,,,,dgx,\r\n"));
  CHECK(has(text, ",untested,some-reason,because of it,,,0,,,,,,,,,\r\n"));
}

TEST_CASE("each parameter has a column, empty where a cell has none of that name") {
  model::Report report;
  report.cells.push_back(cell_of("node1", model::Outcome::kPass));
  report.cells.push_back(cell_of("node2", model::Outcome::kPass));
  report.cells[0].parameters = {{"bytes", std::int64_t{1024}}, {"dtype", std::string("float")}};
  report.cells[1].parameters = {{"k", -0.5}};
  const std::string text = render(report);
  CHECK(has(text, ",causes,parameter.bytes,parameter.dtype,parameter.k\r\n"));
  CHECK(has(text, ",1024,float,\r\n"));
  CHECK(has(text, ",,,-0.5\r\n"));
}

TEST_CASE("what was seen beside a cell is its last column") {
  model::Report report;
  report.cells.push_back(cell_of("node1", model::Outcome::kFail));
  report.cells.back().causes = {{"power-cap", "node1/GPU-1", "power cap 600 W"},
                                {"xid", "node1/GPU-1", "Xid 79"}};
  CHECK(has(render(report), ",seen: node1/GPU-1: power cap 600 W; seen: node1/GPU-1: Xid 79\r\n"));
}

TEST_CASE("fields with commas and quotes are quoted, and formulas are disarmed") {
  model::Report report;
  report.cells.push_back(cell_of("=HYPERLINK(\"x\",1)", model::Outcome::kPass));
  report.cells.back().subject.device = "+1";
  const std::string text = render(report);
  CHECK(has(text, ",\"'=HYPERLINK(\"\"x\"\",1)\","));
  CHECK(has(text, ",'+1,"));
}

TEST_CASE("hostile text stays in its field") {
  const std::string text = render(hostile());
  CHECK(occurrences(text, "\r\n") == 8);
  CHECK(occurrences(text, "\r") == 8);
  CHECK(occurrences(text, "\n") == 8);
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  CHECK_FALSE(has(text, "\xff"));
}

}  // namespace rackproof::csv
