#include "reports/openmetrics/openmetrics.hpp"

#include <set>
#include <sstream>

#include "reports/model/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::openmetrics {

using namespace rendered;
using model::Outcome;

TEST_CASE("the sample report for Prometheus is the golden one") {
  golden::check("report/sample.prom",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("series of two racks are never the same") {
  const auto series = [](const std::string& run, const std::string& rack) {
    model::Report report;
    report.run.id = run;
    report.nodes.push_back({"node1", {}, {}});
    if (!rack.empty()) report.run.labels["rack"] = rack;
    report.cells.push_back(cell_of("node1", Outcome::kPass));
    std::set<std::string> names;
    std::istringstream lines(render(report));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with('#')) names.insert(line.substr(0, line.rfind(' ')));
    }
    return names;
  };
  const std::set<std::string> one = series("r1", "7");
  CHECK(one.contains("rackproof_acceptance{rack=\"7\",run=\"r1\",acceptance=\"accepted\"}"));
  for (const auto& other : {series("r1", "8"), series("r2", "7"), series("r2", "")}) {
    CHECK(other.size() == one.size());
    for (const std::string& name : other) CHECK_FALSE(one.contains(name));
  }
  CHECK(has(*series("r1", "").begin(), "rack=\"node1\""));
}

TEST_CASE("cells that are neither passed nor failed have no number") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.push_back(cell_of("node2", Outcome::kUntested));
  report.counts.untested = 1;
  const std::string text = render(report);
  CHECK(has(text,
            "rackproof_stream_triad_bytes_per_second{rack=\"\",run=\"\",step=\"stream\",metric="
            "\"stream.triad\","
            "host=\"node1\"} 8000000000\n"));
  CHECK(has(text,
            "rackproof_cell_passed{rack=\"\",run=\"\",step=\"stream\",metric=\"stream.triad\",host="
            "\"node1\"} 0\n"));
  CHECK(
      has(text, "rackproof_cells{rack=\"\",run=\"\",outcome=\"untested\",required=\"false\"} 1\n"));
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
            "rackproof_stream_triad_worst_link_bytes_per_second{rack=\"\",run=\"\",step=\"stream\","
            "metric=\"stream.triad\",host=\"node0\"} 4000000000\n"));
  CHECK(has(text,
            "rackproof_failed_links{rack=\"\",run=\"\",step=\"stream\",metric=\"stream.triad\","
            "host=\"node0\"} 1\n"));
  for (model::Cell& cell : report.cells) {
    cell.measurements.back().better = contract::Better::kLess;
  }
  text = render(report);
  CHECK(has(text, "host=\"node0\"} 9000000000\n"));
}

TEST_CASE("how many attempts other programs disturbed is told of each host that knows") {
  model::Report report;
  report.attempts.resize(4);
  for (model::Attempt& attempt : report.attempts) {
    attempt.host = "node1";
    attempt.load = {2, 10, 20, 19.9, 0, std::nullopt, ""};
  }
  report.attempts[1].load.own = 5;
  report.attempts[2].host = "node2";
  report.attempts[3].host = "node3";
  report.attempts[3].load = {};
  const std::string text = render(report);
  CHECK(has(text, "rackproof_disturbed_attempts{rack=\"\",run=\"\",host=\"node1\"} 1\n"));
  CHECK(has(text, "rackproof_disturbed_attempts{rack=\"\",run=\"\",host=\"node2\"} 0\n"));
  CHECK_FALSE(has(text, "node3"));
}

TEST_CASE("the time of the run is seconds since 1970") {
  model::Report report;
  report.run.began_utc = "1970-01-01T00:01:40.500Z";
  CHECK(has(render(report), "rackproof_run_began_timestamp_seconds{rack=\"\",run=\"\"} 100.5\n"));
}

TEST_CASE("a claim is 1 when it is held, whoever accepts it without") {
  model::Report report;
  report.judged_claims = {{"memory", "memory", 2, 2, {}, ""},
                          {"latency", "latency", 2, 1, {}, ""},
                          {"host", "host", 2, 0, {}, "a loan"}};
  const std::string text = render(report);
  CHECK(has(text, "rackproof_claim_held{rack=\"\",run=\"\",claim=\"memory\"} 1\n"));
  CHECK(has(text, "claim=\"latency\"} 0\n"));
  CHECK(has(text, "claim=\"host\"} 0\n"));
}

TEST_CASE("hostile text stays in its label") {
  const std::string text = render(hostile());
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\n="));
  CHECK(has(text, "<script>alert(1)</script>\\\"';|"));
}

}  // namespace rackproof::openmetrics
