#include <algorithm>
#include <catch2/catch.hpp>

#include "reports/model/reason_id.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

Cell bad_cell(int gpu, int number, Outcome outcome) {
  Cell cell;
  cell.step = "gemm-gpu";
  cell.metric = "gemm.rate";
  cell.parameters["m"] = std::int64_t{number};
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.host = "hgx-02";
  cell.subject.device = "GPU-" + std::to_string(gpu);
  cell.required = true;
  cell.verdict.outcome = outcome;
  cell.verdict.reason_id = model::reason_id::kBelowLimit;
  cell.verdict.reason = "median 500 TFLOP/s is below the limit 634.6 TFLOP/s";
  cell.verdict.observed = 500e12;
  cell.measurements.emplace_back().unit = "FLOP/s";
  return cell;
}

model::Report rack_of(int gpus) {
  model::Report report;
  report.acceptance = model::Acceptance::kRejected;
  report.acceptance_reason = "it is slow";
  model::NodeInventory node;
  node.host = "hgx-02";
  for (int gpu = 0; gpu < gpus; ++gpu) {
    model::DeviceFacts device;
    device.uuid = "GPU-" + std::to_string(gpu);
    device.index = gpu;
    node.devices.push_back(device);
  }
  report.nodes.push_back(node);
  return report;
}

void add_finding(model::Report& report, model::Severity severity, const std::string& id,
                 const std::string& subject) {
  model::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.subject = subject;
  finding.text = "text of " + id + " " + std::string(300, 'x') + " end";
  report.findings.push_back(finding);
}

}  // namespace

TEST_CASE("the end of a run names the bad part once, and its verdict last") {
  model::Report report = rack_of(6);
  for (int i = 0; i < 87; ++i) report.cells.push_back(bad_cell(5, i, Outcome::kFail));
  const std::string text = brief(report, {});
  CHECK(tells(text, "FAILED (87 required cells of 1 part)"));
  CHECK(tells(text, "hgx-02 GPU 5 (GPU-5): 87 too slow (below-limit)"));
  CHECK(tells(text, "gemm.rate m=0: 500 TFLOP/s"));
  CHECK_FALSE(tells(text, "gemm.rate m=1:"));
  CHECK(text.ends_with("\n\nREJECTED 1 host, 6 GPUs: it is slow\n"));
}

TEST_CASE("however much went wrong, the end of a run fits a screen") {
  model::Report report = rack_of(72);
  for (const auto outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
    for (int gpu = 0; gpu < 72; ++gpu) {
      for (int i = 0; i < 20; ++i) report.cells.push_back(bad_cell(gpu, i, outcome));
    }
  }
  for (const auto severity : {model::Severity::kInfo, model::Severity::kWarning,
                              model::Severity::kError, model::Severity::kIsolate}) {
    for (int i = 0; i < 40; ++i) {
      add_finding(report, severity, "kind-" + std::to_string(i % 8), "host" + std::to_string(i));
    }
  }
  const std::string text = brief(report, {});
  CAPTURE(text);
  CHECK(lines_of(text) <= 60);
  CHECK(tells(text, "FAILED (1440 required cells of 72 parts)"));
  CHECK(tells(text, "and 1360 cells of 68 parts"));
  CHECK(tells(text, "FINDINGS (160)"));
  CHECK(tells(text, "isolate kind-0, host0 and 4 more: text of kind-0"));
  CHECK(tells(text, "and 135 more"));
  CHECK_FALSE(tells(text, "xxx end"));
}

TEST_CASE("what was said of a part that failed is not said again among the findings") {
  model::Report report = rack_of(2);
  report.cells.push_back(bad_cell(1, 0, Outcome::kFail));
  add_finding(report, model::Severity::kError, "peer-outlier", "hgx-02/GPU-1");
  add_finding(report, model::Severity::kWarning, "throttled", "hgx-02/GPU-0");
  const std::string text = brief(report, {});
  CHECK(tells(text, "FINDINGS (2)"));
  CHECK_FALSE(tells(text, "peer-outlier"));
  CHECK(tells(text, "warning throttled, hgx-02 GPU 0 (GPU-0): text of throttled"));
  CHECK(tells(text, "and 1 more"));
}

TEST_CASE("of an accepted rack the end of a run is a few lines") {
  model::Report report = rack_of(2);
  report.acceptance = model::Acceptance::kAccepted;
  report.acceptance_reason = "all 10 required cells pass";
  const std::string text = brief(report, {});
  CHECK(lines_of(text) <= 12);
  CHECK(text.ends_with("ACCEPTED 1 host, 2 GPUs: all 10 required cells pass\n"));
}

}  // namespace rackproof::terminal
