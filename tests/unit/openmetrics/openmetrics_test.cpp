#include "reports/openmetrics/openmetrics.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "reports/json/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::openmetrics {

using namespace rendered;
using model::Outcome;

TEST_CASE("the sample report for Prometheus is the golden one") {
  golden::check("report/sample.prom",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

namespace {

std::set<std::string> series_of(const model::Report& report) {
  std::set<std::string> names;
  std::istringstream lines(render(report));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) names.insert(line.substr(0, line.rfind(' ')));
  }
  return names;
}

model::Report report_of(const std::string& rack, const std::string& suite, const std::string& run) {
  model::Report report;
  report.run.id = run;
  report.suite.id = suite;
  report.nodes.push_back({"node1", {}, {{"GPU-1", 0, {}}}});
  if (!rack.empty()) report.run.labels["rack"] = rack;
  report.cells.push_back(cell_of("node1", Outcome::kPass));
  return report;
}

}  // namespace

TEST_CASE("series of two racks, suites or runs are never the same") {
  const std::set<std::string> one = series_of(report_of("7", "acceptance", "r1"));
  CHECK(
      one.contains("rackproof_acceptance{rack=\"7\",suite=\"acceptance\",run=\"r1\","
                   "acceptance=\"accepted\"}"));
  for (const auto& other :
       {report_of("8", "acceptance", "r1"), report_of("7", "smoke", "r1"),
        report_of("7", "acceptance", "r2"), report_of("", "acceptance", "r1")}) {
    const std::set<std::string> names = series_of(other);
    CHECK(names.size() == one.size());
    for (const std::string& name : names) CHECK_FALSE(one.contains(name));
  }
  CHECK(has(*series_of(report_of("", "smoke", "r1")).begin(), "rack=\"node1\""));
}

TEST_CASE("labels of the run are on its info, under legal names that are each there once") {
  model::Report report = report_of("7", "smoke", "r1");
  report.tool.version = "1";
  report.run.labels["ticket"] = "OPS-1";
  report.run.labels["a-b"] = "x";
  report.run.labels["a_b"] = "y";
  report.run.labels["suite"] = "z";
  CHECK(has(render(report),
            "rackproof_run_info{rack=\"7\",suite=\"smoke\",run=\"r1\",version=\"1\",commit=\"\","
            "launcher=\"\",label_a_b=\"x\",label_a_b_2=\"y\",label_suite=\"z\","
            "label_ticket=\"OPS-1\"} 1\n"));
}

TEST_CASE("what a device is stands in a series of its own, by its UUID") {
  model::Report report;
  const auto fact = [](const char* value) { return model::Fact{std::string(value), "NVML", ""}; };
  report.nodes.push_back({"node1",
                          {},
                          {{"GPU-a",
                            5,
                            {{"gpu.pci_address", fact("0000:5d:00.0")},
                             {"gpu.serial", fact("165322")},
                             {"gpu.name", fact("Example X200")}}},
                           {"GPU-b", 6, {{"gpu.serial", {std::nullopt, "", "not supported"}}}},
                           {"GPU-b", 7, {}},
                           {"", 8, {}}}});
  const std::string text = render(report);
  CHECK(has(text,
            "rackproof_device_info{rack=\"node1\",suite=\"\",run=\"\",host=\"node1\",device="
            "\"GPU-a\",index=\"5\",pci=\"0000:5d:00.0\",serial=\"165322\",model=\"Example X200\"} "
            "1\n"));
  CHECK(has(text, "device=\"GPU-b\",index=\"6\"} 1\n"));
  CHECK(occurrences(text, "rackproof_device_info{") == 2);
}

TEST_CASE("cells that are neither passed nor failed have no number") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.push_back(cell_of("node2", Outcome::kUntested));
  report.counts.untested = 1;
  const std::string text = render(report);
  CHECK(has(text,
            "rackproof_stream_triad_bytes_per_second{rack=\"\",suite=\"\",run=\"\",step=\"stream\","
            "metric="
            "\"stream.triad\","
            "host=\"node1\"} 8000000000\n"));
  CHECK(has(text,
            "rackproof_cell_passed{rack=\"\",suite=\"\",run=\"\",step=\"stream\",metric=\"stream."
            "triad\",host="
            "\"node1\"} 0\n"));
  CHECK(has(text,
            "rackproof_cells{rack=\"\",suite=\"\",run=\"\",outcome=\"untested\",required=\"false\"}"
            " 1\n"));
  CHECK(occurrences(text, "\nrackproof_stream_triad_bytes_per_second{") == 1);
  CHECK(occurrences(text, "\nrackproof_cell_passed{") == 1);
  CHECK(text.ends_with("\n# EOF\n"));
}

TEST_CASE(
    "limits and what was expected stand beside the number, in its unit, where there are any") {
  model::Report report;
  model::Cell& limited = report.cells.emplace_back(cell_of("node1", Outcome::kPass));
  limited.verdict.limit_low = 9.5e9;
  limited.verdict.limit_high = 12e9;
  limited.verdict.ratio = 8e9 / 1.1e10;
  report.cells.push_back(cell_of("node2", Outcome::kVerified));
  report.cells.push_back(cell_of("node3", Outcome::kUnjudged));
  const std::string text = render(report);
  const std::string labels =
      "{rack=\"\",suite=\"\",run=\"\",step=\"stream\",metric=\"stream.triad\",host=\"node1\"} ";
  CHECK(has(text, "\nrackproof_stream_triad_limit_low_bytes_per_second" + labels + "9500000000"));
  CHECK(has(text, "\nrackproof_stream_triad_limit_high_bytes_per_second" + labels + "12000000000"));
  CHECK(has(text, "\nrackproof_stream_triad_expected_bytes_per_second" + labels + "11000000000\n"));
  CHECK(occurrences(text, "\nrackproof_stream_triad_bytes_per_second{") == 2);
  CHECK(occurrences(text, "_limit_low_bytes_per_second{") == 1);
  CHECK(occurrences(text, "_limit_high_bytes_per_second{") == 1);
  CHECK(occurrences(text, "_expected_bytes_per_second{") == 1);
}

TEST_CASE("what was expected is not made up of a number that is nothing") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.back().verdict.observed = 0;
  report.cells.back().verdict.ratio = 0;
  CHECK_FALSE(has(render(report), "_expected_"));
}

TEST_CASE("a cell that speaks against the run says so, with or without a number") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.push_back(cell_of("node2", Outcome::kUntested));
  report.cells.push_back(cell_of("node3", Outcome::kUnjudged));
  report.cells.back().required = false;
  const std::string text = render(report);
  const std::string name =
      "\nrackproof_cell_outcome{rack=\"\",suite=\"\",run=\"\",step=\"stream\",metric=\"stream."
      "triad\","
      "host=";
  CHECK(
      has(text, name + "\"node1\",outcome=\"fail\",reason=\"some-reason\",required=\"true\"} 1\n"));
  CHECK(has(text,
            name + "\"node2\",outcome=\"untested\",reason=\"some-reason\",required=\"true\"} 1\n"));
  CHECK(occurrences(text, "\nrackproof_cell_outcome{") == 2);
}

TEST_CASE("of the links of a host the worst is told") {
  model::Report report;
  report.cells.push_back(link_of("node0", "node1", 9e9, Outcome::kPass));
  report.cells.push_back(link_of("node0", "node2", 4e9, Outcome::kFail));
  report.cells.push_back(link_of("node0", "node3", 8e9, Outcome::kPass));
  std::string text = render(report);
  CHECK(has(text,
            "rackproof_stream_triad_worst_link_bytes_per_second{rack=\"\",suite=\"\",run=\"\",step="
            "\"stream\","
            "metric=\"stream.triad\",host=\"node0\"} 4000000000\n"));
  CHECK(has(
      text,
      "rackproof_stream_triad_worst_link_limit_low_bytes_per_second{rack=\"\",suite=\"\",run=\"\","
      "step=\"stream\",metric=\"stream.triad\",host=\"node0\"} 10000000000\n"));
  CHECK(has(text,
            "rackproof_failed_links{rack=\"\",suite=\"\",run=\"\",step=\"stream\",metric=\"stream."
            "triad\","
            "host=\"node0\"} 1\n"));
  CHECK_FALSE(has(text, "_spread_"));
  CHECK_FALSE(has(text, "rackproof_cell_outcome"));
  CHECK(has(text,
            "rackproof_host_cells{rack=\"\",suite=\"\",run=\"\",host=\"node0\",outcome=\"pass\","
            "required=\"true\"} 2\n"));
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
  CHECK(
      has(text, "rackproof_disturbed_attempts{rack=\"\",suite=\"\",run=\"\",host=\"node1\"} 1\n"));
  CHECK(
      has(text, "rackproof_disturbed_attempts{rack=\"\",suite=\"\",run=\"\",host=\"node2\"} 0\n"));
  CHECK_FALSE(has(text, "node3"));
}

TEST_CASE("the time of the run is seconds since 1970") {
  model::Report report;
  report.run.began_utc = "1970-01-01T00:01:40.500Z";
  CHECK(has(render(report),
            "rackproof_run_began_timestamp_seconds{rack=\"\",suite=\"\",run=\"\"} 100.5\n"));
}

TEST_CASE("a claim is 1 when it is held, whoever accepts it without") {
  model::Report report;
  report.judged_claims = {{"memory", "memory", 2, 2, {}, ""},
                          {"latency", "latency", 2, 1, {}, ""},
                          {"host", "host", 2, 0, {}, "a loan"}};
  const std::string text = render(report);
  CHECK(has(text, "rackproof_claim_held{rack=\"\",suite=\"\",run=\"\",claim=\"memory\"} 1\n"));
  CHECK(has(text, "claim=\"latency\"} 0\n"));
  CHECK(has(text, "claim=\"host\"} 0\n"));
}

TEST_CASE("hostile text stays in its label") {
  const std::string text = render(hostile());
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\n="));
  CHECK(has(text, "<script>alert(1)</script>\\\"';|"));
  const std::regex label("([a-zA-Z_][a-zA-Z0-9_]*)=\"(?:[^\"\\\\]|\\\\[\"\\\\])*\"(?:,|$)");
  const std::regex sample(R"re(rackproof_[a-z0-9A-Z_]+\{(.*)\} [-+.0-9e]+)re");
  std::istringstream lines(text);
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::smatch parts;
    REQUIRE(std::regex_match(line, parts, sample));
    const std::string labels = parts[1];
    std::set<std::string> names;
    std::ptrdiff_t length = 0;
    for (std::sregex_iterator at(labels.begin(), labels.end(), label), end; at != end; ++at) {
      CHECK(names.insert((*at)[1]).second);
      length += at->length();
    }
    CHECK(length == static_cast<std::ptrdiff_t>(labels.size()));
    seen.insert(names.begin(), names.end());
  }
  for (const char* name :
       {"rack", "suite", "run", "version", "step", "metric", "host", "device", "index", "pci",
        "serial", "model", "group", "claim", "outcome", "reason", "statistic"}) {
    CHECK(seen.contains(name));
  }
  CHECK(std::any_of(seen.begin(), seen.end(),
                    [](const std::string& name) { return name.starts_with("label_"); }));
}

}  // namespace rackproof::openmetrics
