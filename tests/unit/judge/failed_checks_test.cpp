#include "harness/judge/failed_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

/// What the audit saw accepted: exit 4, and the check that failed is of something else than the one
/// that the suite expects a number of.
model::Report with_failure(const model::CheckResult& check) {
  model::Report report = one_cell();
  report.attempts[0].ending = model::ending::Completed{4};
  report.attempts[0].checks.push_back(check);
  return report;
}

const model::Finding* finding_in(const model::Report& report, const std::string& id) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const model::Finding& finding) { return finding.id == id; });
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a failed check that no cell names fails what its process measured, and is told") {
  model::Report report = with_failure(bad_check("copy"));
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kFail);
  CHECK(report.cells[0].verdict.reason_id == "wrong-answer");
  CHECK(report.cells[0].verdict.reason.find("check copy failed") != std::string::npos);
  CHECK(report.acceptance == Acceptance::kRejected);
  const model::Finding* finding = finding_in(report, "failed-check");
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == model::Severity::kError);
  CHECK(finding->subject == kHost);
  CHECK(finding->text.find("check copy failed in attempt 1 of rank 0 on node1: 3 of 1000 wrong") !=
        std::string::npos);
  CHECK(finding->evidence.at("check") == contract::Scalar(std::string("copy")));
}

TEST_CASE("a later good attempt does not take it back, and another process is not to blame") {
  model::Report report = with_failure(bad_check("copy"));
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2"));
  report.attempts.push_back(attempt(1, "node2"));
  report.platform_of_host["node2"] = kPlatform;
  report.cells.push_back(cell(node("node2")));
  report.cells[1].measurements = {measurement("node2a1")};
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kFail);
  CHECK(report.cells[1].verdict.outcome == Outcome::kPass);
}

TEST_CASE("a check that some cell names fails that cell alone") {
  model::Report report = with_failure(bad_check("copy"));
  report.cells.push_back(cell());
  report.cells[1].metric = "stream.copy";
  report.cells[1].measurements = {measurement("a1")};
  report.cells[1].measurements[0].check = bad_check("copy");
  report.platforms[0].baselines[0].metric = "stream.*";
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  CHECK(report.cells[1].verdict.outcome == Outcome::kFail);
  CHECK(finding_in(report, "failed-check") == nullptr);
}

TEST_CASE("a check that passed and yet counts or places a wrong element failed") {
  model::CheckResult counts = good_check("copy");
  counts.wrong = 5;
  CHECK(judged(with_failure(counts)).outcome == Outcome::kFail);
  model::CheckResult places = good_check("copy");
  places.first_wrong_where = "element 17";
  CHECK(judged(with_failure(places)).outcome == Outcome::kFail);
  model::Report report = one_cell();
  report.cells[0].measurements[0].check.first_wrong_got = "2.5";
  CHECK(judged(report).outcome == Outcome::kFail);
}

TEST_CASE("a failed check that reaches no cell keeps the run from being accepted") {
  model::Report report = with_failure(bad_check("copy"));
  report.cells[0].measurements = {measurement("a2")};
  report.attempts[0].host = "node9";
  report.attempts[0].subject = node("node9");
  report.attempts.push_back(attempt(2));
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  CHECK(report.acceptance == Acceptance::kRejected);
  CHECK(report.acceptance_reason.find("check copy failed") != std::string::npos);
}

TEST_CASE("neither a waiver nor an optional cell hides it") {
  model::Report report = with_failure(bad_check("copy"));
  report.cells[0].waived = "not needed";
  CHECK(judged(report).outcome == Outcome::kFail);
  report = with_failure(bad_check("copy"));
  report.cells[0].required = false;
  judge::judge(report);
  CHECK(report.acceptance == Acceptance::kRejected);
}

TEST_CASE("a check of any member that no cell names is about all of its group in that round") {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2"});
  report.attempts = {attempt(1), attempt(1, "node2")};
  for (int member = 0; member < 2; ++member) {
    model::Attempt& one = report.attempts[static_cast<std::size_t>(member)];
    one.member = member;
    one.members = 2;
    one.subject = report.cells[0].subject;
    one.checks = {good_check(), good_check("other")};
  }
  report.platform_of_host["node2"] = kPlatform;
  CHECK(judged(report).outcome == Outcome::kPass);
  // The first member has a check of that name too, so that it is not the member's alone.
  report.attempts[1].checks[1] = bad_check("other");
  report.attempts[1].ending = model::ending::Completed{4};
  CHECK(judged(report).outcome == Outcome::kFail);
}

TEST_CASE("cells that are judged apart and together give the same") {
  model::Report report = with_failure(bad_check("copy"));
  report.cells.resize(3000, report.cells[0]);
  judge::judge(report);
  CHECK(std::all_of(report.cells.begin(), report.cells.end(),
                    [](const model::Cell& one) { return one.verdict.outcome == Outcome::kFail; }));
  CHECK(finding_in(report, "failed-check")->evidence.at("cells") ==
        contract::Scalar(std::int64_t{3000}));
}
