#include "harness/recognise/expectations.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
namespace recognise = rackproof::recognise;
using namespace rackproof::judge_test;

namespace {

// A run whose only cell passes, on a host with `count` GPUs, of a table that expects eight.
model::Report with_gpus(std::optional<std::int64_t> count, model::Severity severity) {
  model::Report report = one_cell();
  model::FactExpectation eight;
  eight.rule.fact = "gpu.nvml_count";
  eight.rule.equals = std::int64_t{8};
  eight.severity = severity;
  eight.remedy = "Reseat it.";
  report.platforms[0].expect = {eight};
  model::Fact& fact = report.nodes[0].facts["gpu.nvml_count"];
  if (count) {
    fact.value = *count;
  } else {
    fact.unreadable = "no driver";
  }
  judge::judge(report);
  return report;
}

std::vector<model::Finding> unmet_of(const model::Report& report) {
  std::vector<model::Finding> found;
  std::copy_if(report.findings.begin(), report.findings.end(), std::back_inserter(found),
               [](const model::Finding& finding) { return finding.id == "expectation-unmet"; });
  return found;
}

}  // namespace

TEST_CASE("what a table expects and finds is no finding") {
  const model::Report report = with_gpus(8, model::Severity::kError);
  CHECK(unmet_of(report).empty());
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("an unmet expectation of severity error rejects though every cell passes") {
  const model::Report report = with_gpus(7, model::Severity::kError);
  REQUIRE(unmet_of(report).size() == 1);
  const model::Finding finding = unmet_of(report)[0];
  CHECK(finding.subject == kHost);
  CHECK(finding.severity == model::Severity::kError);
  CHECK(finding.text == "7 GPUs; table box requires 8; Reseat it.");
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(report.acceptance_reason == "node1 has 7 GPUs; table box requires 8");
}

TEST_CASE("an unmet expectation of less severity is a finding and no more") {
  for (const auto severity : {model::Severity::kWarning, model::Severity::kInfo}) {
    const model::Report report = with_gpus(7, severity);
    REQUIRE(unmet_of(report).size() == 1);
    CHECK(unmet_of(report)[0].severity == severity);
    CHECK(report.acceptance == model::Acceptance::kAccepted);
  }
}

TEST_CASE("an expectation of severity error that nobody can check leaves the run incomplete") {
  const model::Report report = with_gpus(std::nullopt, model::Severity::kError);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.find("not known (no driver)") != std::string::npos);
  CHECK(unmet_of(report).size() == 1);
}

TEST_CASE("judging again with the expectation met takes the finding away") {
  model::Report report = with_gpus(7, model::Severity::kError);
  report.nodes[0].facts["gpu.nvml_count"].value = std::int64_t{8};
  judge::judge(report);
  CHECK(unmet_of(report).empty());
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("hosts that are unmet in the same way are named together and others apart") {
  model::Report report = with_gpus(7, model::Severity::kError);
  for (const auto& [host, count] : {std::pair{"node2", 7}, {"node3", 6}, {"node4", 8}}) {
    model::NodeInventory node = report.nodes[0];
    node.host = host;
    node.facts["gpu.nvml_count"].value = std::int64_t{count};
    report.nodes.push_back(node);
    report.platform_of_host[host] = kPlatform;
  }
  const auto unmet = recognise::unmet_expectations(report);
  REQUIRE(unmet.size() == 2);
  CHECK(unmet[0].hosts == std::vector<std::string>{"node1", "node2"});
  CHECK(unmet[1].hosts == std::vector<std::string>{"node3"});
  CHECK(unmet[1].have == "6");
}

TEST_CASE("a host of another platform owes nothing") {
  model::Report report = with_gpus(7, model::Severity::kError);
  report.platform_of_host[kHost] = "other";
  CHECK(recognise::unmet_expectations(report).empty());
}

namespace {

// A run whose only cell passes, on a host with two GPUs, of a table that expects `fact` of them.
model::Report with_devices(const char* fact, const contract::Scalar& want,
                           const std::vector<std::optional<contract::Scalar>>& have) {
  model::Report report = one_cell();
  model::FactExpectation expectation;
  expectation.rule.fact = fact;
  expectation.rule.equals = want;
  expectation.severity = model::Severity::kIsolate;
  report.platforms[0].expect = {expectation};
  for (const auto& value : have) {
    const std::size_t index = report.nodes[0].devices.size();
    model::DeviceFacts device{"GPU-" + std::to_string(index), static_cast<std::int64_t>(index), {}};
    device.facts[fact] = {value, "NVML", value ? "" : "no permission"};
    report.nodes[0].devices.push_back(device);
  }
  report.run.began_utc = "2026-11-22T10:00:00Z";
  return report;
}

}  // namespace

TEST_CASE("what a table expects of devices is held against each of them") {
  model::Report report =
      with_devices("gpu.pcie_width_now", std::int64_t{16}, {std::int64_t{16}, std::int64_t{8}});
  judge::judge(report);
  REQUIRE(unmet_of(report).size() == 1);
  CHECK(unmet_of(report)[0].subject == "node1/GPU-1");
  CHECK(unmet_of(report)[0].severity == model::Severity::kIsolate);
  CHECK(report.acceptance == model::Acceptance::kRejected);
  report = with_devices("gpu.ecc", true, {false, false});
  judge::judge(report);
  REQUIRE(unmet_of(report).size() == 1);
  CHECK(unmet_of(report)[0].subject == "node1");
  report = with_devices("gpu.ecc", true, {true, true});
  judge::judge(report);
  CHECK(unmet_of(report).empty());
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("a suppressed expectation rejects nothing until its last day is over") {
  model::Report report = with_devices("gpu.ecc", true, {false, false});
  report.suite.suppress = {{"expectation-unmet", "", "gpu.ecc", "a known batch", "2026-11-22"}};
  judge::judge(report);
  REQUIRE(unmet_of(report).size() == 1);
  CHECK(unmet_of(report)[0].severity == model::Severity::kInfo);
  CHECK(unmet_of(report)[0].text.ends_with("; suppressed until 2026-11-22: a known batch"));
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  report.run.began_utc = "2026-11-23T00:00:00Z";
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kRejected);
}

TEST_CASE("a finding of severity isolate rejects though every cell passes") {
  model::Report report = one_cell();
  model::Finding odd;
  odd.id = "config-mismatch";
  odd.severity = model::Severity::kIsolate;
  odd.subject = "node1/GPU-1";
  odd.text = "gpu.pcie_width_now is 8";
  report.findings.push_back(odd);
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(report.acceptance_reason == "node1/GPU-1: gpu.pcie_width_now is 8");
  report.findings[0].severity = model::Severity::kError;
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}
