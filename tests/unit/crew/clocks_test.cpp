#include "harness/crew/clocks.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using crew::ClockProbe;

namespace {

// What a host that told what it has says of itself.
fakes::Performance tells(const warden::Launch& launch) {
  model::NodeInventory node;
  node.host = fakes::head_of(launch).host;
  return fakes::inventory(recognised(node));
}

}  // namespace

TEST_CASE("a clock is as far away as its answer says, give or take half the way") {
  ClockProbe survey;
  const std::string question = survey.ask(100, "2030-01-01T00:00:00.000Z");
  survey.take(3, ClockProbe::answer(question, "2030-01-01T00:05:00.100Z"), 100.2);
  CHECK(survey.answers() == 1);
  const auto offsets = survey.take_offsets();
  REQUIRE(offsets.size() == 1);
  CHECK(offsets.at(3).seconds == Approx(300).margin(1e-6));
  CHECK(offsets.at(3).uncertainty_seconds == Approx(0.1));
}

TEST_CASE("of several answers the one with the shortest way counts") {
  ClockProbe survey;
  std::string question = survey.ask(0, "2030-01-01T00:00:00.000Z");
  survey.take(1, ClockProbe::answer(question, "2030-01-01T00:00:00.000Z"), 4);
  question = survey.ask(10, "2030-01-01T00:00:10.000Z");
  survey.take(1, ClockProbe::answer(question, "2030-01-01T00:00:09.010Z"), 10.02);
  question = survey.ask(20, "2030-01-01T00:00:20.000Z");
  survey.take(1, ClockProbe::answer(question, "2030-01-01T00:00:20.000Z"), 23);
  const auto offset = survey.take_offsets().at(1);
  CHECK(offset.seconds == Approx(-1).margin(1e-6));
  CHECK(offset.uncertainty_seconds == Approx(0.01));
}

TEST_CASE("late answers and what is none are passed over") {
  ClockProbe survey;
  const std::string old = survey.ask(0, "2030-01-01T00:00:00.000Z");
  const std::string question = survey.ask(1, "2030-01-01T00:00:01.000Z");
  survey.take(1, ClockProbe::answer(old, "2030-01-01T00:00:00.000Z"), 1.1);
  survey.take(2, ClockProbe::answer(question, "yesterday"), 1.1);
  survey.take(3, question, 1.1);
  CHECK(survey.answers() == 0);
  CHECK(survey.take_offsets().empty());
  survey.take(4, ClockProbe::answer(question, "2030-01-01T00:00:00.000Z"), 1.2);
  CHECK(survey.take_offsets().empty());
}

TEST_CASE("a run tells how far the clocks of its hosts are apart, and who is far off") {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a")};
  stage.survey = tells;
  const model::Report report = stage.play();
  REQUIRE(report.nodes.size() == 2);
  const auto offset = model::number_of(report.nodes[1], "clock.offset_seconds");
  REQUIRE(offset);
  CHECK(*offset == Approx(0).margin(0.05));
  CHECK_FALSE(model::number_of(report.nodes[0], "clock.offset_seconds"));
  CHECK_FALSE(has_finding(report, "clocks-apart"));
}

TEST_CASE("a host whose clock is far off is named") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.survey = tells;
  SECTION("behind") {
    stage.player(1).clock.shift_seconds = -100;
    const model::Report report = stage.play();
    CHECK(has_finding(report, "clocks-apart", "node1"));
    CHECK(has_finding(report, "clocks-apart", " s behind that of rank 0 on node0"));
    CHECK(*model::number_of(report.nodes[1], "clock.offset_seconds") == Approx(-100).margin(0.05));
    CHECK(report.acceptance == model::Acceptance::kAccepted);
  }
  SECTION("ahead") {
    stage.player(1).clock.shift_seconds = 100;
    CHECK(has_finding(stage.play(), "clocks-apart", " s ahead of that of rank 0"));
  }
  SECTION("too far away to say") {
    stage.player(1).clock.shift_seconds = 1.2;
    stage.star.delay(1, 0.5);
    CHECK_FALSE(has_finding(stage.play(), "clocks-apart"));
  }
}

TEST_CASE("a host that did not tell what it has has no facts, whatever its clock says") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.survey = [](const warden::Launch& launch) {
    return fakes::head_of(launch).host == "node1" ? fakes::Performance{} : tells(launch);
  };
  const model::Report report = stage.play();
  REQUIRE(report.nodes.size() == 2);
  CHECK(report.nodes[1].facts.empty());
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a clock that jumps during the run is named") {
  Stage stage(3);
  stage.request.suite.steps = {step("a")};
  // The survey comes after clocks were compared at the start.
  const auto jump_at_survey = [&](int rank, double seconds) {
    stage.survey = [&stage, rank, seconds](const warden::Launch& launch) {
      stage.player(rank).clock.shift_seconds = seconds;
      return tells(launch);
    };
  };
  SECTION("of another host") {
    jump_at_survey(2, -30);
    const model::Report report = stage.play();
    CHECK(has_finding(report, "clock-jumped", "node2"));
    CHECK(has_finding(report, "clock-jumped", "its clock went 30.0"));
    CHECK(has_finding(report, "clock-jumped", " s back during the run"));
    CHECK_FALSE(has_finding(report, "clock-jumped", "node1"));
    CHECK_FALSE(has_finding(report, "clock-jumped", "node0"));
    CHECK(report.acceptance == model::Acceptance::kAccepted);
  }
  SECTION("of the host of rank 0, and no other is blamed for it") {
    jump_at_survey(0, 3600);
    const model::Report report = stage.play();
    CHECK(has_finding(report, "clock-jumped", "node0"));
    CHECK(has_finding(report, "clock-jumped", " s forward during the run"));
    CHECK_FALSE(has_finding(report, "clock-jumped", "node1"));
    CHECK_FALSE(has_finding(report, "clock-jumped", "node2"));
  }
  SECTION("less than a second is none") {
    jump_at_survey(1, 0.9);
    CHECK_FALSE(has_finding(stage.play(), "clock-jumped"));
  }
  SECTION("one that was wrong all the time did not jump") {
    stage.survey = tells;
    stage.player(1).clock.shift_seconds = 100;
    CHECK_FALSE(has_finding(stage.play(), "clock-jumped"));
  }
}
