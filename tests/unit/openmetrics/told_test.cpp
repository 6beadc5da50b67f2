#include "reports/openmetrics/told.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "reports/model/words.hpp"
#include "reports/openmetrics/openmetrics.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::openmetrics {

using namespace rendered;
using model::Outcome;

namespace {

// On one host, so that no aggregate has many series.
model::Cell on_device(const std::string& uuid, Outcome outcome) {
  model::Cell cell = cell_of("node1", outcome);
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.device = uuid;
  return cell;
}

}  // namespace

TEST_CASE("what does not speak against a run is left out when asked, and counted") {
  model::Report report;
  report.nodes.push_back({"node1", {}, {{"GPU-1", 0, {}}, {"GPU-2", 1, {}}}});
  for (const Outcome outcome : {Outcome::kPass, Outcome::kVerified, Outcome::kFail,
                                Outcome::kUnjudged, Outcome::kUntested, Outcome::kWaived}) {
    for (const bool required : {true, false}) {
      model::Cell& cell = report.cells.emplace_back(cell_of("node1", outcome));
      cell.subject.kind = contract::SubjectKind::kDevice;
      cell.subject.device = outcome == Outcome::kFail ? "GPU-2" : "GPU-3";
      cell.step = std::string(contract::word(outcome)) + (required ? "-required" : "-not");
      cell.required = required;
    }
  }
  const auto told = [](const std::string& text) {
    std::set<std::string> steps;
    const std::regex cell(
        "rackproof_(?:cell_(?:outcome|passed|ratio)|stream_triad_bytes_per_second)"
        "\\{.*step=\"([^\"]+)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), cell), end; at != end; ++at) {
      steps.insert((*at)[1]);
    }
    return steps;
  };
  std::string text = render(report, Details::kAggregate);
  CHECK(told(text) == std::set<std::string>{"fail-required", "fail-not", "unjudged-required",
                                            "untested-required"});
  CHECK(has(text, "device=\"GPU-2\",index=\"1\"} 1\n"));
  CHECK_FALSE(has(text, "GPU-1"));
  CHECK(has(text, "rackproof_devices_left_out{rack=\"node1\",suite=\"\",run=\"\"} 1\n"));
  const auto left_out = [&](const char* outcome, int series) {
    return has(text, "rackproof_series_left_out{rack=\"node1\",suite=\"\",run=\"\",outcome=\"" +
                         std::string(outcome) + "\"} " + std::to_string(series) + "\n");
  };
  CHECK(left_out("pass", 2 * 5));  // number, limit, expected, ratio, passed
  CHECK(left_out("verified", 2));
  CHECK(left_out("fail", 0));
  CHECK(left_out("unjudged", 0));
  text = render(report, Details::kByNumber);
  CHECK(told(text).contains("pass-required"));
  CHECK(told(text).contains("verified-not"));
  CHECK(has(text, "GPU-1"));
  CHECK(left_out("pass", 0));
  CHECK(has(text, "rackproof_devices_left_out{rack=\"node1\",suite=\"\",run=\"\"} 0\n"));
}

TEST_CASE("a run with more series than a scrape should have is told in aggregates") {
  model::Report report;
  for (std::size_t i = 0; i < kMostSeries; ++i) {
    report.cells.push_back(on_device(std::to_string(i), Outcome::kVerified));
  }
  const std::string name = "\nrackproof_stream_triad_bytes_per_second{";
  CHECK(occurrences(render(report), name) == kMostSeries);
  report.cells.push_back(on_device("one too many", Outcome::kVerified));
  CHECK(occurrences(render(report), name) == 0);
  CHECK(has(render(report), "outcome=\"verified\"} 50001\n"));
  CHECK(occurrences(render(report, Details::kAll), name) == kMostSeries + 1);
}

TEST_CASE("where too many cells failed the worst are told, and how many are not") {
  model::Report report;
  const std::size_t too_many = kMostSeries / 6 + 100;
  for (std::size_t i = 0; i < too_many; ++i) {
    report.cells.push_back(on_device(std::to_string(i), Outcome::kFail));
  }
  report.cells.push_back(on_device("worst", Outcome::kFail));
  report.cells.back().verdict.ratio = 0.1;
  report.cells.push_back(on_device("unknown", Outcome::kUntested));
  const std::string text = render(report);
  CHECK(occurrences(text, "\nrackproof_cell_outcome{") == kMostSeries / 6);
  CHECK(has(text, "device=\"worst\",outcome=\"fail\",reason="));
  CHECK_FALSE(has(text, "device=\"unknown\""));
  const auto left_out = [&](const char* outcome, std::size_t series) {
    return has(text, "\nrackproof_series_left_out{rack=\"\",suite=\"\",run=\"\",outcome=\"" +
                         std::string(outcome) + "\"} " + std::to_string(series) + "\n");
  };
  CHECK(left_out("fail", 6 * (too_many + 1 - kMostSeries / 6)));
  CHECK(left_out("untested", 1));
  CHECK(occurrences(render(report, Details::kAll), "\nrackproof_cell_outcome{") == too_many + 2);
}

}  // namespace rackproof::openmetrics
