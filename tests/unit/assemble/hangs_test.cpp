#include "harness/assemble/hangs.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

// Ranks that were ended at their deadline; the last one had not entered what the others wait in.
model::Report hung(int ranks) {
  model::Report report;
  for (int rank = 0; rank < ranks; ++rank) {
    model::Attempt one;
    one.step = "world";
    one.subject.kind = contract::SubjectKind::kGroup;
    one.rank = one.member = rank;
    one.members = ranks;
    one.host = "node" + std::to_string(rank);
    one.ending = model::ending::TimedOut{6, true, {}};
    const bool last = rank == ranks - 1;
    one.progress = model::Progress{"all_reduce 8 B", 8, {1, last ? 3 : 4, 0}, {1, 3, 0}, 1,
                                   last ? 5.0 : 4.0, {}};
    report.attempts.push_back(one);
  }
  return report;
}

}  // namespace

TEST_CASE("ranks that were all ended at their deadline are compared when nobody else could") {
  model::Report report = hung(3);
  assemble::note_hangs(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "group-failed");
  CHECK(report.findings[0].step == "world");
  CHECK(report.findings[0].subject == model::label(report.attempts[0].subject));
  CHECK_THAT(report.findings[0].text,
             Catch::StartsWith("not done at its deadline; member 2 of 3 (rank 2 on node2) had not "
                               "entered iteration 4 of all_reduce 8 B, in which the 2 others had "
                               "waited for 4 s"));
  // Rank 0 of a group of processes has told it itself; nothing is told twice.
  assemble::note_hangs(report);
  CHECK(report.findings.size() == 1);
}

TEST_CASE("tries are told apart, and one that did not end at its deadline tells nothing") {
  model::Report report = hung(2);
  SECTION("by their number") { report.attempts[1].number = 2; }
  SECTION("by the part of the run") { report.attempts[1].resumed = 1; }
  SECTION("by what they are for") { report.attempts[1].confirms = true; }
  SECTION("a member has no journal") { report.attempts.pop_back(); }
  SECTION("lost, not late") {
    for (model::Attempt& one : report.attempts) one.ending = model::ending::RankLost{"gone"};
  }
  SECTION("of a process that works alone") {
    for (model::Attempt& one : report.attempts) one.members = 0;
  }
  assemble::note_hangs(report);
  CHECK(report.findings.empty());
}

TEST_CASE("each try that hung is told of its own step") {
  model::Report report = hung(2);
  for (model::Attempt one : hung(2).attempts) {
    one.step = "other";
    report.attempts.push_back(one);
  }
  assemble::note_hangs(report);
  CHECK(report.findings.size() == 2);
}
