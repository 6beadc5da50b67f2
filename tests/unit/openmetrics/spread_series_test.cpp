#include "reports/openmetrics/spread_series.hpp"

#include <catch2/catch.hpp>

#include "reports/openmetrics/openmetrics.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::openmetrics {

using namespace rendered;
using model::Outcome;

TEST_CASE("how the numbers of a metric lie is told whatever is left out") {
  model::Report report;
  for (int i = 0; i < 41; ++i) {
    model::Cell& cell = report.cells.emplace_back(
        cell_of(i < 20 ? "node1" : "node2", i == 0 ? Outcome::kFail : Outcome::kPass));
    cell.subject.kind = contract::SubjectKind::kDevice;
    cell.subject.device = "GPU-" + std::to_string(i);
    cell.verdict.observed = 100 + i;
    cell.verdict.ratio = 1;
  }
  report.cells.push_back(cell_of("node1", Outcome::kUntested));
  report.cells.back().required = false;
  for (const Details details : {Details::kAll, Details::kAggregate}) {
    const std::string text = render(report, details);
    const std::string name =
        "\nrackproof_stream_triad_spread_bytes_per_second{rack=\"\",suite=\"\",run=\"\",step="
        "\"stream\",metric=\"stream.triad\",statistic=";
    CHECK(has(text, name + "\"min\"} 100\n"));
    CHECK(has(text, name + "\"p05\"} 102\n"));
    CHECK(has(text, name + "\"p50\"} 120\n"));
    CHECK(has(text, name + "\"p95\"} 138\n"));
    CHECK(has(text, name + "\"max\"} 140\n"));
    CHECK(occurrences(text, "\nrackproof_cell_spread_ratio{") == 5);
    CHECK(has(text,
              "_spread_limit_low_bytes_per_second{rack=\"\",suite=\"\",run=\"\",step="
              "\"stream\",metric=\"stream.triad\"} 10000000000\n"));
    const std::string host = "\nrackproof_host_cells{rack=\"\",suite=\"\",run=\"\",host=";
    CHECK(has(text, host + "\"node1\",outcome=\"pass\",required=\"true\"} 19\n"));
    CHECK(has(text, host + "\"node1\",outcome=\"fail\",required=\"true\"} 1\n"));
    CHECK(has(text, host + "\"node1\",outcome=\"untested\",required=\"false\"} 1\n"));
    CHECK(has(text, host + "\"node2\",outcome=\"fail\",required=\"true\"} 0\n"));
  }
  report.cells[3].verdict.limit_low = 1;
  CHECK_FALSE(has(render(report), "_spread_limit_low_"));
}

TEST_CASE("parameters that are written alike are one quantity") {
  model::Report report;
  for (const contract::Scalar& bytes :
       {contract::Scalar(std::int64_t{8}), contract::Scalar(std::string("8"))}) {
    model::Cell& cell = report.cells.emplace_back(cell_of("node1", Outcome::kPass));
    cell.parameters["bytes"] = bytes;
    cell.verdict.observed = bytes.index() == 1 ? 1 : 3;
  }
  const std::string text = render(report);
  CHECK(has(text, "param_bytes=\"8\",statistic=\"min\"} 1\n"));
  CHECK(has(text, "param_bytes=\"8\",statistic=\"p50\"} 2\n"));
  CHECK(has(text, "param_bytes=\"8\",statistic=\"max\"} 3\n"));
  CHECK(occurrences(text, "\nrackproof_stream_triad_spread_limit_low_bytes_per_second{") == 1);
}

}  // namespace rackproof::openmetrics
