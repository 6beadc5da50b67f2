#include "harness/crew/crew.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "reports/model/words.hpp"
#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using config::Placement;
using model::Outcome;

namespace {

// 10 s a bench, so that something can befall a rank meanwhile.
fakes::Performance slow(const warden::Launch& launch) {
  return fakes::good(launch, kMetric, fakes::samples_around(100), 10);
}

model::Verdict verdict_on(const model::Report& report, const std::string& step,
                          const std::string& host) {
  for (const auto& cell : report.cells) {
    if (cell.step == step && cell.subject.host == host) return cell.verdict;
  }
  FAIL("there is no cell of " << step << " on " << host);
  return {};
}

std::string rank_state(const model::Report& report, int rank) {
  for (const auto& info : report.ranks) {
    if (info.rank == rank) return std::string(contract::word(info.state));
  }
  return "absent";
}

}  // namespace

TEST_CASE("ranks of several hosts do each step once on each host") {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a"), step("b")};
  const model::Report report = stage.play();
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(report.cells.size() == 4);
  std::set<std::string> where;
  for (const auto& attempt : report.attempts) {
    where.insert(attempt.step + " " + attempt.host + " " + std::to_string(attempt.rank));
  }
  CHECK(where == std::set<std::string>{"a node0 0", "a node1 2", "b node0 0", "b node1 2"});
  REQUIRE(report.ranks.size() == 4);
  for (const auto& rank : report.ranks) CHECK(rank.state == model::RankState::kFinished);
  CHECK(report.ranks[3].local_rank == 1);
  CHECK(stage.player(3).left);
  CHECK(stage.player(3).warden.lines().back().find("\"finished\"") != std::string::npos);
}

TEST_CASE("sixty-four ranks are done in the time of one") {
  Stage stage(64, 8);
  stage.request.suite.steps = {step("a")};
  const model::Report report = stage.play();
  CHECK(report.counts.pass == 8);
  CHECK(report.run.seconds < 5);
}

TEST_CASE("a bench of all ranks runs inside each of them") {
  Stage stage(3);
  stage.request.suite.steps = {step("world", Placement::kWorld)};
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 3);
  CHECK(verdict(report, "world").outcome == Outcome::kPass);
  CHECK(stage.launches().empty());
}

TEST_CASE("an in-rank bench that finds a wrong answer on one rank fails for all") {
  Stage stage(2);
  stage.request.suite.steps = {step("world", Placement::kWorld)};
  const fakes::Script good = stage.bench;
  stage.bench = [good](const warden::Launch& launch) {
    if (fakes::head_of(launch).rank == 0) return good(launch);
    return fakes::Act(launch).hello().check(false).end(4).done(4);
  };
  CHECK(verdict(stage.play(), "world").outcome == Outcome::kFail);
}

TEST_CASE("a rank that comes late is waited for, one that never comes is named") {
  Stage stage(3);
  stage.request.suite.steps = {step("a")};
  SECTION("late") {
    stage.player(2).arrives_at = crew::kArrivalSeconds - 5;
    CHECK(stage.play().acceptance == model::Acceptance::kAccepted);
  }
  SECTION("never") {
    stage.player(2).arrives_at = 1e9;
    const model::Report report = stage.play();
    CHECK_FALSE(stage.coordinator().everyone());
    CHECK(rank_state(report, 2) == "never-arrived");
    CHECK(has_finding(report, "rank-lost", "rank 2"));
    CHECK(stage.seen.find("rank 2 on unknown host is lost: did not arrive") != std::string::npos);
    CHECK(report.acceptance == model::Acceptance::kIncomplete);
    CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kPass);
  }
}

TEST_CASE("a silent rank is lost, its cells are untested, and the others go on") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b")};
  stage.bench = slow;
  SECTION("it stands still") {
    stage.clock.at(5, [&] { stage.player(1).frozen = true; });
  }
  SECTION("it is killed") {
    stage.clock.at(5, [&] { stage.kill(1); });
  }
  const model::Report report = stage.play();
  CHECK(rank_state(report, 1) == "lost");
  CHECK(rank_state(report, 2) == "finished");
  CHECK(has_finding(report, "rank-lost", "rank 1 on node1"));
  CHECK(stage.seen.find("rank 1 on node1 is lost: silent for 20 s") != std::string::npos);
  CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kUntested);
  CHECK(verdict_on(report, "b", "node1").reason_id == "rank-lost");
  CHECK(verdict_on(report, "b", "node2").outcome == Outcome::kPass);
  // Not "done": a resumed run with all ranks has to do these again.
  CHECK(state(report, "a") == "stopped: rank-lost: rank 1 on node1");
  CHECK(state(report, "b") == "stopped: rank-lost: rank 1 on node1");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK_FALSE(report.run.completed);
  // The step waits for the silence to be certain, no longer.
  CHECK(report.run.seconds < 50);
}

TEST_CASE("what a rank measured before nothing of it came through is kept with its journal") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b")};
  stage.bench = slow;
  stage.clock.at(5, [&] { stage.star.cut(1); });
  const model::Report report = stage.play();
  CHECK(rank_state(report, 1) == "lost");
  CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kPass);
  CHECK(verdict_on(report, "b", "node1").outcome == Outcome::kUntested);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a group that a rank never came to is not done") {
  Stage stage(3);
  config::Step ring = step("ring", Placement::kWorld);
  ring.backend = "nccl";
  ring.members = config::Members::kRanks;
  ring.bring_up_seconds = 10;
  stage.request.suite.steps = {ring};
  stage.player(2).arrives_at = 1e9;
  const model::Report report = stage.play();
  CHECK(state(report, "ring").find("stopped: rank-lost: rank 2") == 0);
  CHECK_FALSE(report.run.completed);
}

TEST_CASE("a rank that beats and never says how its attempt ended is lost once it is overdue") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b")};
  SECTION("of the survey") { stage.star.drop(1, fleet::MessageKind::kEnded, 1); }
  SECTION("of a step") { stage.star.drop(1, fleet::MessageKind::kEnded, 2); }
  const model::Report report = stage.play();
  CHECK(rank_state(report, 1) == "lost");
  CHECK(has_finding(report, "rank-lost", "did not say how"));
  CHECK(verdict_on(report, "b", "node2").outcome == Outcome::kPass);
  CHECK(report.run.seconds < 200);
}

TEST_CASE("a rank that is lost before a step of all ranks keeps that step from starting") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("world", Placement::kWorld), step("b")};
  SECTION("lost in the step before") {
    stage.bench = slow;
    stage.clock.at(5, [&] { stage.kill(2); });
  }
  SECTION("not there when the step calls") {
    // Between its last beat and the roll call, too short for its silence to count.
    stage.clock.at(1.05, [&] { stage.player(2).frozen = true; });
    stage.bench = [good = stage.bench](const warden::Launch& launch) {
      auto performance = good(launch);
      if (fakes::head_of(launch).rank == 2) performance.seconds = 0.5;
      return performance;
    };
  }
  const model::Report report = stage.play();
  CHECK(verdict(report, "world").outcome == Outcome::kUntested);
  CHECK(verdict(report, "world").reason_id == "late-rank");
  CHECK(verdict(report, "world").reason.find("rank 2 on node2") != std::string::npos);
  CHECK(state(report, "world") == "stopped: late-rank: rank 2 on node2");
  CHECK(has_finding(report, "late-rank", "rank 2"));
  CHECK(verdict_on(report, "b", "node1").outcome == Outcome::kPass);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("an answer to an earlier roll call is none to this one") {
  Stage stage(3, 3);
  stage.request.suite.steps = {step("one", Placement::kWorld), step("two", Placement::kWorld)};
  // There and back takes longer than a roll call waits.
  stage.clock.at(0.05, [&] { stage.star.delay(2, crew::kArrivalSeconds / 2 + 2); });
  const model::Report report = stage.play();
  CHECK(report.attempts.empty());
  CHECK(verdict(report, "one").reason_id == "late-rank");
  CHECK(verdict(report, "two").reason_id == "late-rank");
}

TEST_CASE("a rank that cannot keep a journal refuses the run, and says why") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.separate_disk(1);
  stage.player(1).disk->read_only = true;
  CHECK_THROWS_WITH(stage.play(),
                    Catch::Contains("rank 1 (node1)") && Catch::Contains("Read-only file system"));
  CHECK(stage.launches().empty());
}

TEST_CASE("another version of the program on one rank refuses the run") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.clock.at(0, [&] {
    stage.star.post(1, 0, fleet::MessageKind::kHello,
                    crew::to_text(crew::Arrival{1, "node1", 7, "2", "c"}));
  });
  stage.player(1).frozen = true;
  CHECK_THROWS_WITH(stage.play(), Catch::Contains("rank 1 on node1 runs rackproof 2 (c)"));
}

TEST_CASE("a slow network changes nothing but the time") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("world", Placement::kWorld)};
  stage.star.delay(1, 2.5);
  const model::Report report = stage.play();
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(report.counts.pass == 4);
}

TEST_CASE("what a rank without shared disk says is kept beside the journal of rank 0") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.separate_disk(1);
  const model::Report report = stage.play();
  CHECK(stage.disk->files.contains("/run/journals/0001-rank-00001.gathered.jsonl"));
  CHECK_FALSE(stage.disk->files.contains("/run/journals/0001-rank-00001.jsonl"));
  CHECK(stage.player(1).disk->files.contains("/run/journals/0001-rank-00001.jsonl"));
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kPass);
}

TEST_CASE("a crash on another rank is tried again there") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = [good = stage.bench](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    if (head.rank == 1 && head.number == 1) return fakes::Act(launch).hello().killed(6);
    return good(launch);
  };
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 3);
  CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kPass);
}

TEST_CASE("an interrupt ends what runs on every rank") {
  Stage stage(3);
  stage.request.suite.steps = {step("a")};
  stage.bench = slow;
  stage.clock.at(3, [&] { stage.interrupts = 1; });
  const model::Report report = stage.play();
  REQUIRE(report.attempts.size() == 3);
  for (const auto& attempt : report.attempts) {
    CHECK(attempt.ending ==
          model::Ending(model::ending::Cancelled{model::CancelReason::kInterrupted}));
  }
  CHECK(report.run.seconds < 5);
  CHECK(stage.player(2).warden.lines().back().find("\"interrupted\"") != std::string::npos);
}

TEST_CASE("whoever is lost is named with the last step that it reached") {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a"), step("world", Placement::kWorld), step("b"), step("c")};
  // Rank 2 leads node1 and dies in its step; rank 3 leads nothing, so that the step of all ranks is
  // the last that it came to.
  stage.clock.at(1.5, [&] { stage.bench = slow; });
  stage.clock.at(4, [&] {
    stage.kill(2);
    stage.kill(3);
  });
  const model::Report report = stage.play();
  REQUIRE(report.ranks.size() == 4);
  CHECK(report.ranks[2].detail.ends_with("; the last step it reached was c"));
  CHECK(report.ranks[3].detail.ends_with("; the last step it reached was world"));
  CHECK(has_finding(report, "rank-lost", "rank 2 on node1: silent for 20 s; the last step it"));
  for (const auto& finding : report.findings) {
    if (finding.subject == "rank 2 on node1") CHECK(finding.step == "c");
  }
  CHECK(stage.seen.find("the last step it reached was c") != std::string::npos);
  CHECK(verdict_on(report, "b", "node1").outcome == Outcome::kPass);
  CHECK(verdict_on(report, "c", "node0").outcome == Outcome::kPass);
}

TEST_CASE("a rank that never arrived keeps every step of all ranks from starting") {
  Stage stage(3);
  stage.request.suite.steps = {step("world", Placement::kWorld), step("a")};
  stage.player(2).arrives_at = 1e9;
  const model::Report report = stage.play();
  CHECK(verdict(report, "world").reason_id == "late-rank");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(verdict_on(report, "a", "node1").outcome == Outcome::kPass);
  for (const auto& attempt : report.attempts) CHECK(attempt.step == "a");
}

TEST_CASE("a message that came damaged or makes no sense loses its sender, not the run") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b")};
  stage.bench = slow;
  std::string why;
  SECTION("damaged") {
    stage.clock.at(5, [&] { stage.star.post(1, 0, fleet::MessageKind::kDamaged, ""); });
    why = "it sent a corrupted message";
  }
  SECTION("not JSON") {
    stage.clock.at(5, [&] { stage.star.post(1, 0, fleet::MessageKind::kEnded, "{"); });
    why = "its message 'ended' makes no sense";
  }
  SECTION("JSON of another kind") {
    stage.clock.at(5, [&] { stage.star.post(1, 0, fleet::MessageKind::kToken, "[]"); });
    why = "its message 'token' makes no sense";
  }
  SECTION("of a kind that only rank 0 sends") {
    stage.clock.at(5, [&] { stage.star.post(1, 0, fleet::MessageKind::kRoster, ""); });
    why = "it sent 'roster', which only rank 0 sends";
  }
  SECTION("of no known kind") {
    stage.clock.at(5, [&] { stage.star.post(1, 0, fleet::MessageKind::kUnknown, "warp"); });
    why = "it sent a message of an unknown kind, 'warp'";
  }
  const model::Report report = stage.play();
  CHECK(has_finding(report, "rank-lost", why));
  CHECK(rank_state(report, 1) == "lost");
  CHECK(verdict_on(report, "b", "node2").outcome == Outcome::kPass);
  CHECK(verdict_on(report, "b", "node1").outcome == Outcome::kUntested);
  // It is there and listens: it ends what it runs, and is told so like all others.
  CHECK(stage.player(1).left);
  CHECK(report.run.seconds < 25);
}

TEST_CASE("without everyone the others are told not to take leave") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b")};
  SECTION("all are there") {
    stage.play();
    CHECK(stage.star.count(0, fleet::MessageKind::kFinish) == 2);
    CHECK(stage.star.count(0, fleet::MessageKind::kDisband) == 0);
    CHECK(stage.player(2).follower->everyone());
    CHECK(stage.coordinator().listeners() == std::vector<int>{1, 2});
  }
  SECTION("one is lost") {
    stage.bench = slow;
    stage.clock.at(5, [&] { stage.kill(1); });
    stage.play();
    CHECK(stage.star.count(0, fleet::MessageKind::kFinish) == 0);
    CHECK(stage.star.count(0, fleet::MessageKind::kDisband) == 1);
    CHECK(stage.player(2).left);
    CHECK_FALSE(stage.player(2).follower->everyone());
    CHECK(stage.coordinator().listeners() == std::vector<int>{2});
  }
}

TEST_CASE("a rank that was given up and comes back ends its work and stays to be told to leave") {
  Stage stage(3);
  stage.request.suite.steps = {step("a"), step("b"), step("c"), step("d"), step("e")};
  stage.bench = slow;
  stage.clock.at(5, [&] { stage.player(1).frozen = true; });
  stage.clock.at(32, [&] { stage.player(1).frozen = false; });
  const model::Report report = stage.play();
  CHECK(rank_state(report, 1) == "lost");
  CHECK(stage.player(1).left);
  CHECK(stage.player(1).warden.lines().back().find("given up by rank 0") != std::string::npos);
  CHECK(stage.coordinator().listeners() == std::vector<int>{1, 2});
  CHECK(verdict_on(report, "e", "node2").outcome == Outcome::kPass);
  CHECK(verdict_on(report, "e", "node1").outcome == Outcome::kUntested);
}
