#include "harness/evidence/planned.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace evidence = rackproof::evidence;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using namespace rackproof::judge_test;

namespace {

model::Report planned_run() {
  model::Report report = one_cell();
  report.suite.plan = model::SuitePlan{
      "acceptance",
      std::string(64, 'a'),
      3,
      {"burn", "gemm"},
      1200,
      900,
      0.31,
      0.06,
      "b",
      {{"ssd", "SSD", 0.25, 0.25}, {"hbm", "memory of a GPU", 1, 0.06}, {"fan", "fan", 0.25, 0}}};
  return report;
}

model::Report judged_plan(model::Report report) {
  judge::judge(report);
  return report;
}

}  // namespace

TEST_CASE("a run of a planned suite is accepted of what was planned") {
  const model::Report report = judged_plan(planned_run());
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(report.acceptance_reason.starts_with(
      "of what was planned, 1 of the 3 steps of acceptance, expected to miss 31 % of faults (6 % "
      "all of them); "));
  CHECK(judged_plan(one_cell()).acceptance_reason.find("planned") == std::string::npos);
}

TEST_CASE("what a planned suite misses is a finding, whatever the verdict is") {
  model::Report report = planned_run();
  for (const bool fails : {false, true}) {
    if (fails) report.cells[0].measurements[0].samples.assign(10, 1.0);
    if (fails) report.cells[0].measurements[0].value = 1;
    const model::Report done = judged_plan(report);
    CHECK((done.acceptance == Acceptance::kRejected) == fails);
    const auto found = std::find_if(
        done.findings.begin(), done.findings.end(),
        [](const model::Finding& one) { return one.id == model::finding_id::kPlannedSuite; });
    REQUIRE(found != done.findings.end());
    CHECK(found->severity == model::Severity::kWarning);
    CHECK(found->text ==
          "the suite was planned for 20 min and is 1 of the 3 steps of acceptance, without burn, "
          "gemm; expected to be missed: 31 % of faults: SSD (all), memory of a GPU (6 %)");
  }
  CHECK(evidence::planned_findings(one_cell()).empty());
}

TEST_CASE("what is judged again has the finding once") {
  model::Report report = judged_plan(planned_run());
  const std::size_t findings = report.findings.size();
  CHECK(judged_plan(report).findings.size() == findings);
}
