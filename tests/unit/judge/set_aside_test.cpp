#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

TEST_CASE("what a host that was set aside owes is untested and says so") {
  model::Report report = one_cell();
  report.cells.push_back(report.cells.front());
  report.cells.back().subject = node("node9");
  report.cells.back().measurements.clear();
  report.cells.push_back(report.cells.back());
  report.cells.back().subject = group("world", {"node1", "node9"});
  report.findings.push_back({"host-set-aside", model::Severity::kError, "node9", "lost", "", {}});
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == model::Outcome::kPass);
  for (std::size_t i : {1U, 2U}) {
    CHECK(report.cells[i].verdict.outcome == model::Outcome::kUntested);
    CHECK(report.cells[i].verdict.reason_id == "set-aside");
    CHECK(report.cells[i].verdict.reason == "node9 was set aside: lost");
  }
}

TEST_CASE("a group that went on without a host is not spoiled by what the larger one left") {
  model::Report report = one_cell();
  report.platform_of_host = {{"a", kPlatform}, {"b", kPlatform}, {"c", kPlatform}};
  report.attempts.clear();
  const auto add = [&](const model::Subject& subject, int member, bool lost) {
    model::Attempt one = attempt(1, subject.members.at(static_cast<std::size_t>(member)));
    one.nonce = model::label(subject) + "/" + std::to_string(member);
    one.subject = subject;
    one.member = member;
    one.members = static_cast<int>(subject.members.size());
    one.rank = member;
    one.resumed = lost ? 0 : 1;
    if (lost) one.ending = model::ending::RankLost{"gone"};
    report.attempts.push_back(one);
  };
  const model::Subject before = group("world", {"a", "b", "c"});
  const model::Subject after = group("world", {"a", "b"});
  for (int member = 0; member < 3; ++member) add(before, member, true);
  for (int member = 0; member < 2; ++member) add(after, member, false);
  report.cells.front().subject = after;
  report.cells.front().measurements.front().attempt = "world (2 hosts)/0";
  report.cells.front().measurements.front().subject = after;
  report.cells.push_back(report.cells.front());
  report.cells.back().subject = link_of("a", "b");
  report.cells.back().measurements.front().subject = report.cells.back().subject;
  report.cells.push_back(report.cells.front());
  report.cells.back().subject = before;
  report.cells.back().measurements.clear();
  judge::judge(report);
  CHECK(report.cells[0].verdict.outcome == model::Outcome::kPass);
  CHECK(report.cells[1].verdict.outcome == model::Outcome::kPass);
  CHECK(report.cells[2].verdict.outcome == model::Outcome::kUntested);
}

TEST_CASE("what a rank left is replaced by the rank that has its node after a resume") {
  model::Report report = one_cell();
  model::Attempt before = report.attempts.front();
  before.nonce = "before";
  before.rank = 2;
  before.ending = model::ending::RankLost{"gone"};
  report.attempts.front().rank = 1;
  report.attempts.front().resumed = 1;
  report.attempts.insert(report.attempts.begin(), before);
  judge::judge(report);
  CHECK(report.cells.front().verdict.outcome == model::Outcome::kPass);
}
