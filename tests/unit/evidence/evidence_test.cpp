#include "harness/evidence/evidence.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace ending = rackproof::model::ending;
namespace evidence = rackproof::evidence;
namespace model = rackproof::model;
using namespace rackproof::judge_test;
using rackproof::model::CancelReason;

namespace {

struct Seen {
  std::size_t clean = 0;
  std::string culprit;
  std::string wrong;  ///< reason, when a wrong answer was found
};

Seen look_at_evidence(const model::Report& report) {
  const evidence::Context context(report);
  evidence::Courses courses(context);
  const model::Cell& one = report.cells.at(0);
  const evidence::Evidence evidence = evidence::gather(courses, one);
  const auto wrong = evidence::find_wrong_answer(context, one, evidence);
  return {evidence.clean.size(), evidence.culprit == nullptr ? "" : evidence.culprit->nonce,
          wrong ? wrong->reason : ""};
}

/// A second attempt of the cell with this ending, and a measurement of it when asked for.
void add_attempt(model::Report& report, const model::Ending& end, bool measured = true) {
  const int number = static_cast<int>(report.attempts.size()) + 1;
  report.attempts.push_back(attempt(number));
  report.attempts.back().ending = end;
  if (measured) report.cells[0].measurements.push_back(measurement(report.attempts.back().nonce));
}

}  // namespace

TEST_CASE("a transcript is whole after exit 0, or exit 4 with its failed check named") {
  model::Attempt one = attempt();
  CHECK(evidence::is_whole(one));
  one.ending = ending::Completed{4};
  CHECK_FALSE(evidence::is_whole(one));
  one.checks.push_back(bad_check("copy"));
  CHECK(evidence::is_whole(one));
  for (const int code : {1, 2, 3, 5, 77}) {
    one.ending = ending::Completed{code};
    CHECK_FALSE(evidence::is_whole(one));
  }
  one.ending = ending::Leaked{0, ""};
  CHECK_FALSE(evidence::is_whole(one));
}

TEST_CASE("a check that passed and yet counts wrong elements failed") {
  model::CheckResult check = good_check();
  CHECK_FALSE(evidence::is_failed(check));
  check.wrong = 1;
  CHECK(evidence::is_failed(check));
}

TEST_CASE("a good attempt leaves clean evidence") {
  const Seen seen = look_at_evidence(one_cell());
  CHECK(seen.clean == 1);
  CHECK(seen.culprit.empty());
  CHECK(seen.wrong.empty());
}

TEST_CASE("a measurement that no attempt of its step said is not evidence") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].attempt = "stale";
  CHECK(look_at_evidence(report).clean == 0);
  report = one_cell();
  report.attempts[0].step = "gemm";
  CHECK(look_at_evidence(report).clean == 0);
  report = one_cell();
  report.attempts.push_back(attempt(1));
  CHECK(look_at_evidence(report).clean == 0);
}

TEST_CASE("a number of an attempt that did not end well waits for a later one") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Signalled{11};
  Seen seen = look_at_evidence(report);
  CHECK(seen.clean == 0);
  CHECK(seen.culprit == "a1");
  add_attempt(report, ending::Completed{0});
  seen = look_at_evidence(report);
  CHECK(seen.clean == 1);
  CHECK(seen.culprit.empty());
}

TEST_CASE("a good number does not outlive a later bad ending, unless we cancelled it ourselves") {
  model::Report report = one_cell();
  add_attempt(report, ending::Wedged{}, false);
  CHECK(look_at_evidence(report).culprit == "a2");
  report.attempts[1].ending = ending::Cancelled{CancelReason::kTimeBudget};
  const Seen seen = look_at_evidence(report);
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a cancelled attempt with nothing before it leaves nothing") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Cancelled{CancelReason::kInterrupted};
  const Seen seen = look_at_evidence(report);
  CHECK(seen.culprit == "a1");
  CHECK(seen.clean == 0);
}

TEST_CASE("one process of a group spoils the round, and is named before those cancelled for it") {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2", "node3"});
  report.attempts = {attempt(1), attempt(1, "node2"), attempt(1, "node3")};
  CHECK(look_at_evidence(report).clean == 1);
  report.attempts[0].ending = ending::Cancelled{CancelReason::kMemberFailed};
  report.attempts[1].ending = ending::Cancelled{CancelReason::kMemberFailed};
  report.attempts[2].ending = ending::Signalled{9};
  const Seen seen = look_at_evidence(report);
  CHECK(seen.clean == 0);
  CHECK(seen.culprit == "node3a1");
}

TEST_CASE("after a resume the later attempt of the same number replaces the lost one") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::RankLost{"killed"};
  report.cells[0].measurements.clear();
  CHECK(look_at_evidence(report).culprit == "a1");
  model::Attempt again = attempt(1);
  again.nonce = "segment2";
  report.attempts.push_back(again);
  report.cells[0].measurements = {measurement("segment2")};
  const Seen seen = look_at_evidence(report);
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a failed check fails the cell that names it, whatever comes later") {
  model::Report report = one_cell();
  report.attempts[0].checks = {bad_check()};
  report.attempts[0].ending = ending::Completed{4};
  report.cells[0].measurements.clear();
  add_attempt(report, ending::Completed{0});
  CHECK(look_at_evidence(report).wrong.find("element 17") != std::string::npos);
}

TEST_CASE("a measurement with a failed check fails, even when the attempt does not list it") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].check = bad_check();
  CHECK(look_at_evidence(report).wrong.find("element 17") != std::string::npos);
  report.attempts.clear();
  CHECK(look_at_evidence(report).wrong.find("element 17") != std::string::npos);
}

TEST_CASE("a failed check of another cell leaves a proven number alone") {
  model::Report report = one_cell();
  report.attempts[0].checks.push_back(bad_check("copy"));
  report.attempts[0].ending = ending::Completed{4};
  const Seen seen = look_at_evidence(report);
  CHECK(seen.wrong.empty());
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a cell without a number in the round of a failed check fails with it") {
  model::Report report = one_cell();
  report.attempts[0].checks.push_back(bad_check("copy"));
  report.attempts[0].ending =
      GENERATE(model::Ending(ending::Completed{4}), model::Ending(ending::Completed{0}),
               model::Ending(ending::Signalled{11}));
  report.cells[0].measurements.clear();
  CHECK(look_at_evidence(report).wrong.find("check copy failed") != std::string::npos);
}

TEST_CASE("exit 4 without a named check makes every number of it wrong") {
  model::Report report = one_cell();
  report.attempts[0].ending =
      GENERATE(model::Ending(ending::Completed{4}), model::Ending(ending::Leaked{4, ""}),
               model::Ending(ending::Truncated{4, ""}), model::Ending(ending::Garbled{4, ""}));
  CHECK(look_at_evidence(report).wrong.find("exit code") != std::string::npos);
}

TEST_CASE("a wrong answer at another subject or step is not this cell's") {
  model::Report report = one_cell();
  report.attempts.push_back(attempt(1, "node2"));
  report.attempts[1].checks = {bad_check()};
  report.attempts.push_back(attempt(3));
  report.attempts[2].step = "gemm";
  report.attempts[2].checks = {bad_check()};
  CHECK(look_at_evidence(report).wrong.empty());
}

TEST_CASE("in a group the check of one rank covers what another rank measured") {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2"});
  report.attempts.push_back(attempt(1, "node2"));
  report.attempts[1].checks = {bad_check("other")};
  CHECK(look_at_evidence(report).wrong.empty());
  report.attempts[1].checks = {bad_check("triad")};
  CHECK_FALSE(look_at_evidence(report).wrong.empty());
}

namespace {

/// A cell about a group of three members, one on each host, all of which ended well.
model::Report group_of_three() {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2", "node3"});
  report.attempts.clear();
  for (int member = 0; member < 3; ++member) {
    model::Attempt one = attempt(1, "node" + std::to_string(member + 1));
    one.subject = report.cells[0].subject;
    one.rank = member;
    one.member = member;
    one.members = 3;
    report.attempts.push_back(one);
  }
  report.cells[0].measurements = {measurement("a1")};
  return report;
}

std::vector<int> missing(const model::Report& report) {
  const evidence::Context context(report);
  evidence::Courses courses(context);
  const evidence::Evidence evidence = evidence::gather(courses, report.cells.at(0));
  return evidence.absent.empty() ? std::vector<int>{} : evidence.absent.front().missing;
}

}  // namespace

TEST_CASE("a group's number counts when every member has ended well") {
  const Seen seen = look_at_evidence(group_of_three());
  CHECK(seen.clean == 1);
  CHECK(missing(group_of_three()).empty());
}

TEST_CASE("a group's number does not count without an attempt of every member") {
  for (const int gone : {1, 2}) {
    model::Report report = group_of_three();
    report.attempts.erase(report.attempts.begin() + gone);
    CHECK(look_at_evidence(report).clean == 0);
    CHECK(missing(report) == std::vector<int>{gone});
    CHECK(judged(report).outcome == model::Outcome::kUntested);
    CHECK(judged(report).reason_id == "rank-lost");
    CHECK(judged(report).reason.find("member " + std::to_string(gone)) != std::string::npos);
  }
  model::Report report = group_of_three();
  report.attempts.resize(1);
  CHECK(missing(report) == std::vector<int>{1, 2});
  CHECK(judged(report).reason_id == "bring-up");
}

TEST_CASE("an earlier good round does not stand for one with missing members") {
  model::Report report = group_of_three();
  model::Report second = group_of_three();
  for (model::Attempt& one : second.attempts) {
    one.number = 2;
    one.nonce = "second" + one.nonce;
  }
  report.attempts.push_back(second.attempts[0]);
  report.attempts.push_back(second.attempts[2]);
  CHECK(missing(report) == std::vector<int>{1});
  CHECK(judged(report).outcome == model::Outcome::kUntested);
  report.attempts.push_back(second.attempts[1]);
  CHECK(missing(report).empty());
  CHECK(look_at_evidence(report).clean == 1);
}

TEST_CASE("several members of one rank are told apart") {
  model::Report report = group_of_three();
  for (model::Attempt& one : report.attempts) {
    one.rank = 0;
    one.host = kHost;
  }
  CHECK(look_at_evidence(report).clean == 1);
  report.attempts[1].ending = ending::Signalled{11};
  CHECK(look_at_evidence(report).culprit == "node2a1");
}

TEST_CASE("after a resume a member's attempt elsewhere replaces the lost one") {
  model::Report report = group_of_three();
  report.attempts[2].ending = ending::RankLost{"gone"};
  CHECK(look_at_evidence(report).culprit == "node3a1");
  for (int member = 0; member < 3; ++member) {
    model::Attempt again = report.attempts[static_cast<std::size_t>(member)];
    again.nonce = "again" + again.nonce;
    again.ending = ending::Completed{0};
    if (member == 2) again.host = "node2";
    report.attempts.push_back(again);
  }
  CHECK(look_at_evidence(report).culprit.empty());
}

TEST_CASE("a failed check of any member fails the number that names no check") {
  model::Report report = group_of_three();
  report.cells[0].measurements[0].check = {};
  for (model::Attempt& one : report.attempts) one.checks = {good_check("answer")};
  CHECK(look_at_evidence(report).wrong.empty());
  report.attempts[1].checks = {bad_check("answer")};
  report.attempts[1].ending = ending::Completed{4};
  CHECK_FALSE(look_at_evidence(report).wrong.empty());
}

TEST_CASE("members that ran before and after a resume prove nothing together") {
  model::Report report = group_of_three();
  std::vector<model::Attempt> again = report.attempts;
  for (model::Attempt& one : again) {
    one.resumed = 1;
    one.nonce = "again" + one.nonce;
  }
  // Member 2 was lost with its journal, the first time and then another one.
  report.attempts[1].ending = ending::Cancelled{CancelReason::kRankLost};
  report.attempts.push_back(again[0]);
  report.attempts.push_back(again[1]);
  report.cells[0].measurements.push_back(measurement("againa1"));
  CHECK(missing(report) == std::vector<int>{2});
  CHECK(look_at_evidence(report).clean == 0);
  CHECK(judged(report).outcome == model::Outcome::kUntested);
  report.attempts.push_back(again[2]);
  CHECK(missing(report).empty());
  CHECK(look_at_evidence(report).clean == 1);
}

TEST_CASE("what failed before a resume does not outlive the good attempt after it") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Signalled{11};
  add_attempt(report, ending::Signalled{11});
  model::Attempt again = attempt(1);
  again.resumed = 1;
  again.nonce = "again";
  report.attempts.push_back(again);
  report.cells[0].measurements.push_back(measurement("again"));
  const Seen seen = look_at_evidence(report);
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

static model::Finding blame_of(const model::Report& report, std::int64_t member) {
  const std::string group = model::label(report.cells[0].subject);
  model::Finding finding{"group-failed", model::Severity::kError, group, "", kStep, {}};
  finding.evidence = {{"member", member}, {"number", std::int64_t{1}}};
  return finding;
}

TEST_CASE("the member that the run saw fail first is the culprit") {
  model::Report report = group_of_three();
  report.attempts[0].ending = ending::Completed{5};
  report.attempts[1].ending = ending::Cancelled{CancelReason::kMemberFailed};
  report.attempts[2].ending = ending::Signalled{9};
  CHECK(look_at_evidence(report).culprit == "a1");
  report.findings = {blame_of(report, 2)};
  CHECK(look_at_evidence(report).culprit == "node3a1");
  CHECK(judged(report).reason.find("member 2 of 3") != std::string::npos);
  // A member that ended well, another round, or another group is nobody to blame.
  report.findings[0].evidence["number"] = std::int64_t{2};
  CHECK(look_at_evidence(report).culprit == "a1");
  report.findings[0].evidence = {{"member", std::int64_t{1}}, {"number", std::int64_t{1}}};
  CHECK(look_at_evidence(report).culprit == "a1");
}

TEST_CASE("who gave up on another member is a witness, not the culprit") {
  model::Report report = group_of_three();
  for (auto& attempt : report.attempts) attempt.ending = ending::Truncated{6, "no end"};
  report.attempts[2].ending = ending::Cancelled{CancelReason::kMemberFailed};
  CHECK(look_at_evidence(report).culprit == "a1");
  report.findings = {blame_of(report, 2)};
  CHECK(look_at_evidence(report).culprit == "node3a1");
}

TEST_CASE("a round that a member spoiled is not passed over as one that we cut short") {
  const CancelReason by = GENERATE(CancelReason::kMemberFailed, CancelReason::kRankLost,
                                   CancelReason::kRankGone, CancelReason::kBringUp);
  model::Report report = one_cell();
  add_attempt(report, ending::Cancelled{by}, false);
  CHECK(look_at_evidence(report).culprit == "a2");
}

TEST_CASE("a member that did not bring its group up is at fault itself") {
  model::Report report = group_of_three();
  report.attempts.resize(1);
  report.attempts[0].ending = ending::Cancelled{{CancelReason::kBringUp, "no token within 60 s"}};
  report.cells[0].measurements.clear();
  CHECK(look_at_evidence(report).culprit == "a1");
  CHECK(judged(report).reason_id == "bring-up");
}

TEST_CASE("a failed check of any member fails the group unless it is another cell's") {
  model::Report report = group_of_three();
  report.attempts[2].ending = ending::Completed{4};
  report.attempts[2].checks = {good_check(), bad_check("device.matrix")};
  CHECK(look_at_evidence(report).wrong.find("device.matrix") != std::string::npos);
  CHECK(judged(report).outcome == model::Outcome::kFail);
  // The first member has a check of that name too: it is about the cells that name it.
  report.attempts[0].checks.push_back(good_check("device.matrix"));
  CHECK(look_at_evidence(report).wrong.empty());
  report.attempts[2].checks[0] = bad_check();
  CHECK_FALSE(look_at_evidence(report).wrong.empty());
}
