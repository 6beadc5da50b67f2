#include <catch2/catch.hpp>

#include "harness/assemble/assemble.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;
using model::Acceptance;
using model::Severity;

TEST_CASE("of ranks that vanished the first is the one to look at") {
  Scene scene(3);
  scene.begin();
  scene.close(2, model::CloseReason::kRankGone);
  scene.clock.sleep(0.5);
  scene.close(0, model::CloseReason::kRankGone);
  scene.clock.sleep(0.5);
  scene.close(1, model::CloseReason::kRankGone);
  const auto lost = findings(scene.report(), "rank-lost");
  REQUIRE(lost.size() == 3);
  CHECK(lost[0].severity == Severity::kError);
  CHECK(lost[0].subject == "rank 2 on node2");
  CHECK(lost[0].text.find("before the others") != std::string::npos);
  CHECK(lost[1].severity == Severity::kWarning);
  CHECK(lost[1].text.find("after rank 2 on node2") != std::string::npos);
  CHECK(lost[2].subject == "rank 1 on node1");
}

TEST_CASE("clocks that are apart do not make another rank the first") {
  Scene scene(2);
  scene.begin();
  model::NodeInventory ahead;
  ahead.host = "node1";
  ahead.facts["clock.offset_seconds"] = {60.0, "measured", ""};
  scene.book().append(journal::Node{ahead});
  scene.close(0, model::CloseReason::kRankGone);
  scene.clock.sleep(59);
  scene.close(1, model::CloseReason::kRankGone);
  const auto lost = findings(scene.report(), "rank-lost");
  REQUIRE(lost.size() == 2);
  CHECK(lost[0].subject == "rank 1 on node1");
  CHECK(lost[0].severity == Severity::kError);
  CHECK(lost[0].evidence.at("host") == contract::Scalar(std::string("node1")));
}

TEST_CASE("a rank that went without a word is the one to look at, whoever vanished first") {
  Scene scene(3);
  scene.begin();
  SECTION("its journal just ends") { scene.warden(2).lose_power(0); }
  SECTION("rank 0 had missed it") {
    scene.book().rank_lost(2, "node2", "silent for 20 s", "");
    scene.close(2, {model::CloseReason::kOther, "rank 0 fell silent"});
  }
  scene.close(0, model::CloseReason::kRankGone);
  scene.close(1, model::CloseReason::kRankGone);
  const auto lost = findings(scene.report(), "rank-lost");
  REQUIRE(lost.size() == 3);
  CHECK(lost[0].subject == "rank 2 on node2");
  CHECK(lost[0].severity == Severity::kError);
  for (std::size_t i : {1U, 2U}) {
    CHECK(lost[i].severity == Severity::kWarning);
    CHECK(lost[i].text.find("after rank 2 on node2") != std::string::npos);
  }
}

TEST_CASE("a rank that did not close its journal before rank 0 did is lost, though the run ended") {
  Scene scene(2);
  scene.begin();
  scene.attempt(1, "a");
  scene.end(false);
  CHECK(rank_of(scene.report(), 1).state == model::RankState::kFinished);
  scene.close(0, model::CloseReason::kRankGone);
  CHECK(rank_of(scene.report(), 0).state == model::RankState::kFinished);
  CHECK(rank_of(scene.report(), 1).state == model::RankState::kLost);
  CHECK(findings(scene.report(), "rank-lost").size() == 1);
  scene.close(1, model::CloseReason::kInterrupted);
  CHECK(rank_of(scene.report(), 1).state == model::RankState::kFinished);
}

TEST_CASE("a rank that rank 0 gave up is lost, even when it closed its journal") {
  Scene scene(2);
  scene.begin();
  for (const char* step : {"a", "b"}) {
    scene.attempt(0, step);
    scene.attempt(1, step);
    scene.book().step(step, model::StepState::kDone, {});
  }
  scene.book().rank_lost(1, "node1", "silent for 20 s", "");
  scene.end(true);
  scene.close_all();
  const model::Report report = scene.report();
  CHECK(rank_of(report, 1).state == model::RankState::kLost);
  CHECK(rank_of(report, 1).detail == "silent for 20 s");
  CHECK(rank_of(report, 0).state == model::RankState::kFinished);
  CHECK_FALSE(report.run.completed);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.counts.pass == 4);
}

TEST_CASE("a rank that never arrived is named without a host") {
  Scene scene(3);
  scene.begin(1, {2});
  scene.book().rank_lost(2, "unknown host", "did not arrive", "");
  for (const char* step : {"a", "b"}) scene.book().step(step, model::StepState::kDone, {});
  scene.end();
  const model::Report report = scene.report();
  CHECK(rank_of(report, 2).state == model::RankState::kNeverArrived);
  const auto lost = findings(report, "rank-lost");
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].text == "rank 2 on an unknown host: did not arrive at the start");
  CHECK(report.acceptance == Acceptance::kIncomplete);
}
