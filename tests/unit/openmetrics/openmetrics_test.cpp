#include "reports/openmetrics/openmetrics.hpp"

#include "reports/model/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::openmetrics {

using namespace rendered;
using model::Outcome;

TEST_CASE("the sample report for Prometheus is the golden one") {
  golden::check("report/sample.prom",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("cells that are neither passed nor failed have no number") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.push_back(cell_of("node2", Outcome::kUntested));
  report.counts.untested = 1;
  const std::string text = render(report);
  CHECK(has(text,
            "rackproof_stream_triad_bytes_per_second{step=\"stream\",metric=\"stream.triad\","
            "host=\"node1\"} 8000000000\n"));
  CHECK(has(text,
            "rackproof_cell_passed{step=\"stream\",metric=\"stream.triad\",host=\"node1\"} 0\n"));
  CHECK(has(text, "rackproof_cells{outcome=\"untested\",required=\"false\"} 1\n"));
  CHECK_FALSE(has(text, "node2"));
  CHECK(text.ends_with("\n# EOF\n"));
}

TEST_CASE("of the links of a host the worst is told") {
  model::Report report;
  report.cells.push_back(link_of("node0", "node1", 9e9, Outcome::kPass));
  report.cells.push_back(link_of("node0", "node2", 4e9, Outcome::kFail));
  report.cells.push_back(link_of("node0", "node3", 8e9, Outcome::kPass));
  std::string text = render(report);
  CHECK(has(text,
            "rackproof_stream_triad_worst_link_bytes_per_second{step=\"stream\","
            "metric=\"stream.triad\",host=\"node0\"} 4000000000\n"));
  CHECK(has(text,
            "rackproof_failed_links{step=\"stream\",metric=\"stream.triad\","
            "host=\"node0\"} 1\n"));
  for (model::Cell& cell : report.cells) {
    cell.measurements.back().better = model::Better::kLess;
  }
  text = render(report);
  CHECK(has(text, "host=\"node0\"} 9000000000\n"));
}

TEST_CASE("the time of the run is seconds since 1970") {
  model::Report report;
  report.run.began_utc = "1970-01-01T00:01:40.500Z";
  CHECK(has(render(report), "rackproof_run_began_timestamp_seconds 100.5\n"));
}

TEST_CASE("hostile text stays in its label") {
  const std::string text = render(hostile());
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\n="));
  CHECK(has(text, "<script>alert(1)</script>\\\"';|"));
}

}  // namespace rackproof::openmetrics
