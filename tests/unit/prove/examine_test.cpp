#include "harness/prove/examine.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using model::Outcome;
using prove::State;

namespace {

std::string host_of(int rank) { return "box#" + std::to_string(rank); }

prove::Injection one_injection(const prove::Demand& demand, int rank = 1) {
  prove::Injection one;
  one.name = "fault";
  if (rank >= 0) one.guilty = {rank};
  one.demand = demand;
  one.step.id = "fault";
  return one;
}

model::Report two_nodes(Outcome guilty, const std::string& reason, Outcome other = Outcome::kPass) {
  model::Report report;
  for (int rank = 0; rank < 2; ++rank) {
    model::Cell cell;
    cell.step = "fault";
    cell.subject.host = host_of(rank);
    cell.verdict.outcome = rank == 1 ? guilty : other;
    cell.verdict.reason_id = rank == 1 ? reason : "whatever";
    report.cells.push_back(cell);
    model::Attempt attempt;
    attempt.step = "fault";
    report.attempts.push_back(attempt);
  }
  return report;
}

prove::Entry examined(const model::Report& report, const prove::Injection& one) {
  const auto entries = prove::examine(report, {one}, host_of);
  REQUIRE(entries.size() == 1);
  return entries.front();
}

}  // namespace

TEST_CASE("the guilty part with the right reason is a catch") {
  const auto crash = one_injection({Outcome::kUntested, {"signalled"}, "", false});
  const prove::Entry entry = examined(two_nodes(Outcome::kUntested, "signalled"), crash);
  CHECK(entry.state == State::kCaught);
  CHECK(entry.seen.find("box#1") != std::string::npos);
  CHECK(entry.demanded == "untested (signalled) of box#1 alone");
}

TEST_CASE("another outcome, another reason and an innocent part are misses") {
  const auto crash = one_injection({Outcome::kUntested, {"signalled"}, "", false});
  CHECK(examined(two_nodes(Outcome::kVerified, "verified-generic"), crash).state == State::kMissed);
  CHECK(examined(two_nodes(Outcome::kUntested, "timed-out"), crash).state == State::kMissed);
  const prove::Entry blamed =
      examined(two_nodes(Outcome::kUntested, "signalled", Outcome::kUntested), crash);
  CHECK(blamed.state == State::kMissed);
  CHECK(blamed.seen.find("innocent") != std::string::npos);
  model::Report gone = two_nodes(Outcome::kUntested, "signalled");
  gone.cells.pop_back();
  CHECK(examined(gone, crash).state == State::kMissed);
}

TEST_CASE("a fault of every process must be found in every one") {
  const auto flip = one_injection({Outcome::kFail, {"wrong-answer"}, "", false}, -1);
  CHECK(examined(two_nodes(Outcome::kFail, "wrong-answer"), flip).state == State::kMissed);
  model::Report both = two_nodes(Outcome::kFail, "wrong-answer", Outcome::kFail);
  both.cells[0].verdict.reason_id = "wrong-answer";
  CHECK(examined(both, flip).state == State::kCaught);
}

TEST_CASE("a wrong answer must be located where that is demanded") {
  const auto flip = one_injection({Outcome::kFail, {"wrong-answer"}, "", true});
  model::Report report = two_nodes(Outcome::kFail, "wrong-answer");
  CHECK(examined(report, flip).state == State::kMissed);
  model::CheckResult check;
  check.passed = false;
  check.first_wrong_where = "element 77";
  report.attempts[1].checks.push_back(check);
  CHECK(examined(report, flip).state == State::kCaught);
}

TEST_CASE("a demanded finding must name the guilty part") {
  const auto slow = one_injection({Outcome::kFail, {"peer-outlier"}, "peer-outlier", false});
  model::Report report = two_nodes(Outcome::kFail, "peer-outlier");
  CHECK(examined(report, slow).state == State::kMissed);
  model::Finding finding;
  finding.id = "peer-outlier";
  finding.subject = "box#0";
  report.findings.push_back(finding);
  CHECK(examined(report, slow).state == State::kMissed);
  report.findings.back().subject = "box#1";
  CHECK(examined(report, slow).state == State::kCaught);
}

TEST_CASE("what was not planted is not proven") {
  auto crash = one_injection({Outcome::kUntested, {"signalled"}, "", false});
  model::Report report = two_nodes(Outcome::kUntested, "not-started", Outcome::kUntested);
  report.attempts.clear();
  CHECK(examined(report, crash).state == State::kUnproven);
  crash.missing = "no GPU";
  const prove::Entry entry = examined(two_nodes(Outcome::kUntested, "signalled"), crash);
  CHECK(entry.state == State::kUnproven);
  CHECK(entry.seen == "no GPU");
}

TEST_CASE("a tampered journal must be named and must not be accepted") {
  model::Report report;
  CHECK(prove::examine_tampered(report, "journals/a.jsonl").state == State::kMissed);
  model::Finding finding;
  finding.id = "journal-damaged";
  finding.text = "journals/a.jsonl:7: the line is not what was written";
  report.findings.push_back(finding);
  CHECK(prove::examine_tampered(report, "journals/b.jsonl").state == State::kMissed);
  CHECK(prove::examine_tampered(report, "journals/a.jsonl").state == State::kCaught);
  report.run.completed = true;
  CHECK(prove::examine_tampered(report, "journals/a.jsonl").state == State::kMissed);
}

TEST_CASE("a refusal must name the host") {
  CHECK(prove::examine_refusal("n", "p", "", "box#3").state == State::kMissed);
  CHECK(prove::examine_refusal("n", "p", "mixed", "box#3").state == State::kMissed);
  CHECK(prove::examine_refusal("n", "p", "rank 3 on box#3 runs 2", "box#3").state ==
        State::kCaught);
}

TEST_CASE("states are counted") {
  prove::Proof proof;
  proof.entries = {{"a", "", "", "", State::kCaught}, {"b", "", "", "", State::kMissed}};
  CHECK(proof.count(State::kCaught) == 1);
  CHECK(proof.count(State::kMissed) == 1);
  CHECK(proof.count(State::kUnproven) == 0);
}

TEST_CASE("of several guilty parts each must be caught, and named") {
  model::Report report = two_nodes(Outcome::kFail, "peer-outlier", Outcome::kFail);
  report.cells[0].verdict.reason_id = "peer-outlier";
  prove::Injection groups =
      one_injection({Outcome::kFail, {"peer-outlier"}, "bimodal-peers", false});
  groups.guilty = {0, 1};
  model::Finding finding;
  finding.id = "bimodal-peers";
  finding.subject = "box#0";
  report.findings = {finding};
  CHECK(examined(report, groups).state == State::kMissed);
  report.findings[0].subject = "box#0, box#1";
  CHECK(examined(report, groups).state == State::kCaught);
  report.cells[0].verdict.outcome = Outcome::kPass;
  CHECK(examined(report, groups).state == State::kMissed);
}
