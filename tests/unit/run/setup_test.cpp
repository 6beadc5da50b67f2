#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;

namespace {

// Four hosts, of which node2 has another governor.
struct Odd {
  Odd() : stage(4) {
    stage.request.suite.steps = {step("a"), step("b")};
    config::ComparisonRule rule;
    rule.fact = "cpu.governor";
    rule.severity = model::Severity::kIsolate;
    rule.remedy = "Set it.";
    stage.request.comparison = {rule};
    stage.survey = [this](const warden::Launch& launch) {
      model::NodeInventory node;
      const bool odd = fakes::head_of(launch).host == odd_host;
      node.facts["cpu.governor"] = {
          contract::Scalar(std::string(odd ? "powersave" : "performance")), "test", ""};
      return fakes::inventory(recognised(node));
    };
  }
  std::string odd_host = "node2";
  Stage stage;
};

model::Finding mismatch(const model::Report& report) {
  for (const model::Finding& finding : report.findings) {
    if (finding.id == "config-mismatch") return finding;
  }
  return {};
}

}  // namespace

TEST_CASE("a host that is set up otherwise is named first and the run is not accepted") {
  Odd odd;
  const model::Report report = odd.stage.play();
  const model::Finding finding = mismatch(report);
  CHECK(finding.subject == "node2");
  CHECK(finding.severity == model::Severity::kIsolate);
  CHECK(finding.text == "cpu.governor is powersave, and performance on 3 of 4 hosts; Set it.");
  CHECK(state(report, "b") == "done");
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(report.acceptance_reason.find("node2: cpu.governor is powersave") == 0);
  CHECK(odd.stage.seen.find("node2: cpu.governor is powersave") != std::string::npos);
}

TEST_CASE("hosts that are alike are nobody's finding") {
  Odd odd;
  odd.odd_host = "none";
  const model::Report report = odd.stage.play();
  CHECK_FALSE(has_finding(report, "config-mismatch"));
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("a finding that the suite stops for ends the run before anything is started") {
  Odd odd;
  odd.stage.request.suite.stop = {{"config-*", "", model::Severity::kIsolate}};
  const model::Report report = odd.stage.play();
  CHECK(odd.stage.launches().empty());
  CHECK(state(report, "a").starts_with("not-reached: stopped-by-finding: config-mismatch, node2"));
  CHECK_FALSE(report.run.completed);
  CHECK(report.cells.size() == 8);
  for (const model::Cell& cell : report.cells) {
    CHECK(cell.verdict.outcome == model::Outcome::kUntested);
    CHECK(cell.verdict.reason_id == "stopped-by-finding");
  }
}

TEST_CASE("a suppressed finding stops and rejects nothing and is told all the same") {
  Odd odd;
  odd.stage.request.suite.stop = {{"config-*", "", model::Severity::kWarning}};
  odd.stage.request.suite.info.suppress = {
      {"config-mismatch", "node2", "cpu.governor", "a test bed", "2999-12-31"}};
  const model::Report report = odd.stage.play();
  CHECK(mismatch(report).severity == model::Severity::kInfo);
  CHECK(mismatch(report).text.ends_with("; suppressed until 2999-12-31: a test bed"));
  CHECK(state(report, "b") == "done");
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("what a table expects and does not find stops a run that says so") {
  Odd odd;
  odd.odd_host = "none";
  model::FactExpectation expectation;
  expectation.rule.fact = "cpu.governor";
  expectation.rule.equals = std::string("powersave");
  expectation.severity = model::Severity::kWarning;
  odd.stage.request.tables[0].expect = {expectation};
  odd.stage.request.suite.stop = {{"expectation-unmet", "cpu.*", model::Severity::kWarning}};
  const model::Report report = odd.stage.play();
  CHECK(odd.stage.launches().empty());
  CHECK(has_finding(report, "expectation-unmet", "requires powersave"));
}
