#include "harness/evidence/disturbance.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;
using model::Outcome;

namespace {

model::Report disturbed_cell(double value, double share = 0.5) {
  model::Report report = one_cell(value);
  report.attempts[0].load = taken(share);
  return report;
}

model::Report judged_whole(model::Report report) {
  judge::judge(report);
  return report;
}

const model::Finding* finding(const model::Report& report, const std::string& id) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const model::Finding& one) { return one.id == id; });
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a number that other programs disturbed is neither a pass nor a fail") {
  for (const double value : {100.0, 50.0, 10'000.0}) {
    INFO(value);
    const model::Verdict verdict = judged(disturbed_cell(value));
    CHECK(verdict.outcome == Outcome::kUntested);
    CHECK(verdict.reason_id == "disturbed");
    CHECK(
        verdict.reason ==
        "attempt 1 of rank 0 on node1: others took 50 % of the time of its 2 processors, where the "
        "suite lets 3 % pass; 2 attempts were allowed");
    CHECK_FALSE(verdict.observed);
  }
}

TEST_CASE("nor is a number of which only correctness would be judged, or nothing") {
  model::Report report = disturbed_cell(100);
  report.platforms[0].baselines[0].kind = model::BaselineKind::kCorrectness;
  CHECK(judged(report).reason_id == "disturbed");
  report.platforms[0].baselines.clear();
  CHECK(judged(report).outcome == Outcome::kUntested);
}

TEST_CASE("a wrong answer counts whatever else ran") {
  model::Report report = disturbed_cell(100);
  report.attempts[0].checks = {bad_check()};
  report.attempts[0].ending = model::ending::Completed{4};
  report.cells[0].measurements[0].check = bad_check();
  CHECK(judged(report).outcome == Outcome::kFail);
  CHECK(judged(report).reason_id == "wrong-answer");
}

TEST_CASE("what is taken without harm is the suite's to say, and old reports know nothing of it") {
  CHECK(judged(one_cell(100)).outcome == Outcome::kPass);
  CHECK(judged(disturbed_cell(100, 0.029)).outcome == Outcome::kPass);
  CHECK(judged(disturbed_cell(100, 0.031)).outcome == Outcome::kUntested);
  model::Report report = disturbed_cell(100, 0.2);
  report.suite.policy.disturbed_share = 0.25;
  CHECK(judged(report).outcome == Outcome::kPass);
}

TEST_CASE("only attempts in quiet count, whichever came first") {
  for (const int quiet : {1, 2}) {
    INFO(quiet);
    model::Report report = one_cell(50);
    report.attempts.push_back(attempt(2));
    report.cells[0].measurements.push_back(measurement("a2", 100));
    if (quiet == 1) std::swap(report.cells[0].measurements[0], report.cells[0].measurements[1]);
    report.cells[0].measurements[0].attempt = "a1";
    report.cells[0].measurements[1].attempt = "a2";
    report.attempts[quiet == 1 ? 1 : 0].load = taken(0.5);
    const model::Verdict verdict = judged(report);
    CHECK(verdict.outcome == Outcome::kPass);
    CHECK(verdict.observed == 100);
    for (model::Attempt& one : report.attempts) one.load = taken(0.5);
    CHECK(judged(report).reason_id == "disturbed");
  }
}

TEST_CASE("a bad ending of a quiet attempt stays what is named") {
  model::Report report = disturbed_cell(100);
  report.attempts.push_back(attempt(2));
  report.attempts[1].ending = model::ending::Signalled{11};
  CHECK(judged(report).reason_id == "signalled");
  // A good one after it, disturbed, does not make up for it.
  report.attempts.push_back(attempt(3));
  report.attempts[2].load = taken(0.5);
  report.cells[0].measurements.push_back(measurement("a3", 100));
  CHECK(judged(report).reason_id == "disturbed");
}

TEST_CASE("a group is disturbed when one of its hosts is") {
  model::Report report = empty_report();
  const model::Subject world = group("world", {"node1", "node2"});
  report.cells = {cell(world)};
  report.platform_of_host["node2"] = kPlatform;
  report.platforms[0].baselines = {baseline()};
  for (int member = 0; member < 2; ++member) {
    model::Attempt one = attempt(1, member == 0 ? "node1" : "node2");
    one.nonce = "a1/" + std::to_string(member);
    one.rank = member;
    one.subject = world;
    one.member = member;
    one.members = 2;
    report.attempts.push_back(one);
  }
  report.cells[0].measurements = {measurement("a1/0")};
  report.cells[0].measurements[0].subject = world;
  REQUIRE(judged(report).outcome == Outcome::kPass);
  report.attempts[1].load = taken(0.5);
  CHECK(judged(report).reason_id == "disturbed");
  CHECK(judged(report).reason.find("on node2") != std::string::npos);
  CHECK(judged_whole(report).acceptance_reason.starts_with(
      "other programs disturbed 1 of 1 attempt; "));
}

TEST_CASE("the first line says how much was disturbed, whatever the verdict") {
  model::Report report = disturbed_cell(100);
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2", 100));
  model::Report accepted = judged_whole(report);
  CHECK(accepted.acceptance == model::Acceptance::kAccepted);
  CHECK(accepted.acceptance_reason ==
        "the one required cell passes; other programs disturbed 1 of 2 attempts");
  report.cells[0].measurements[1] = measurement("a2", 50);
  const model::Report rejected = judged_whole(report);
  CHECK(rejected.acceptance == model::Acceptance::kRejected);
  CHECK(rejected.acceptance_reason.ends_with("; other programs disturbed 1 of 2 attempts"));
  const model::Report incomplete = judged_whole(disturbed_cell(50));
  CHECK(incomplete.acceptance == model::Acceptance::kIncomplete);
  CHECK(incomplete.acceptance_reason.starts_with(
      "other programs disturbed 1 of 1 attempt; 1 of 1 required cells without a judged result"));
  CHECK(judged_whole(one_cell(100)).acceptance_reason == "the one required cell passes");
}

TEST_CASE("a host that was disturbed is a finding with the worst of its attempts") {
  model::Report report = disturbed_cell(100, 0.1);
  report.attempts.push_back(attempt(2));
  report.attempts[1].load = taken(0.75);
  report.attempts.push_back(attempt(3, "node2"));
  report = judged_whole(judged_whole(report));
  const model::Finding* found = finding(report, "disturbed");
  REQUIRE(found != nullptr);
  CHECK(found->subject == "node1");
  CHECK(found->severity == model::Severity::kWarning);
  CHECK(found->text ==
        "2 of 2 attempts disturbed, most of all attempt 2 of rank 0 on node1 at step stream: "
        "others took 75 % of the time of its 2 processors");
  CHECK(std::count_if(report.findings.begin(), report.findings.end(),
                      [](const model::Finding& one) { return one.id == "disturbed"; }) == 1);
}

TEST_CASE("a disturbance that is ignored changes no verdict and is told in three places") {
  model::Report report = disturbed_cell(100);
  report.suite.policy.disturbed = model::Disturbed::kIgnore;
  report = judged_whole(report);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  CHECK(report.acceptance_reason ==
        "the one required cell passes; other programs disturbed 1 of 1 attempt, which is ignored");
  REQUIRE(finding(report, "disturbance-ignored") != nullptr);
  CHECK(finding(report, "disturbed") == nullptr);
}

TEST_CASE("a host of which nobody knows is named, and judged as before") {
  model::Report report = one_cell(50);
  report.attempts[0].load.unknown = "/proc/stat tells nothing of the usable processors";
  report = judged_whole(report);
  CHECK(report.cells[0].verdict.reason_id == "below-limit");
  const model::Finding* found = finding(report, "load-unknown");
  REQUIRE(found != nullptr);
  CHECK(found->severity == model::Severity::kInfo);
}
