#include "harness/assemble/assemble.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"
#include "tests/fakes/sealed.hpp"
#include "tests/unit/assemble/scene.hpp"
#include "tests/unit/turn.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;
using model::Acceptance;
using model::Outcome;
using model::Severity;

namespace {

// Where the first line of this kind begins.
std::size_t place_of(const std::string& text, const std::string& kind) {
  const std::size_t at = text.find("\"j\":\"" + kind + "\"");
  REQUIRE(at != std::string::npos);
  const std::size_t before = text.rfind('\n', at);
  return before == std::string::npos ? 0 : before + 1;
}

void cut(std::string& text, const std::string& kind) { text.resize(place_of(text, kind)); }

}  // namespace

TEST_CASE("the journals of a whole run make its report") {
  Scene scene(2);
  scene.whole_run();
  const model::Report report = scene.report();
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(report.run.completed);
  CHECK(report.run.id == "r");
  CHECK(report.run.segments == 1);
  CHECK(report.run.seconds == Approx(4));
  CHECK(report.run.began_utc == "2030-01-01T00:00:00.000Z");
  CHECK(report.run.ended_utc == "2030-01-01T00:00:04.000Z");
  CHECK(report.counts.pass == 4);
  REQUIRE(report.ranks.size() == 2);
  CHECK(rank_of(report, 1).state == model::RankState::kFinished);
  CHECK(rank_of(report, 1).journal == Scene::name(1));
  REQUIRE(report.attempts.size() == 4);
  CHECK(report.attempts[0].step == "a");
  CHECK(report.attempts[3].step == "b");
  CHECK(report.attempts[3].host == "node1");
  CHECK(report.attempts[3].began_seconds == Approx(3));
  CHECK(report.attempts[0].measurements.empty());
  CHECK(report.cells[0].measurements.size() == 1);
  // Nobody recorded the hosts of a scene.
  CHECK(report.findings.size() == 2);
  for (const auto& finding : report.findings) CHECK(finding.id == "not-recorded");
}

TEST_CASE("the same journals give the same bytes, in any order") {
  Scene scene(3);
  scene.whole_run();
  auto files = scene.files();
  const std::string once = model::to_json(assemble::assemble(files));
  CHECK(model::to_json(assemble::assemble(files)) == once);
  std::reverse(files.begin(), files.end());
  CHECK(model::to_json(assemble::assemble(files)) == once);
  std::rotate(files.begin(), files.begin() + 1, files.end());
  CHECK(model::to_json(assemble::assemble(files)) == once);
}

TEST_CASE("a report may be made while the journals are still open") {
  Scene scene(2);
  scene.whole_run();
  const std::string after = model::to_json(scene.report());
  cut(scene.bytes(0), "close");
  cut(scene.bytes(1), "close");
  CHECK(model::to_json(scene.report()) == after);
}

TEST_CASE("no beginning, no report") {
  CHECK_THROWS_AS(assemble::assemble({}), assemble::NoRun);
  CHECK_THROWS_AS(assemble::assemble({{"journals/0001-rank-00000.jsonl", ""}}), assemble::NoRun);
  CHECK_THROWS_AS(assemble::assemble({{"journals/0001-rank-00000.jsonl", "garbage\n"}}),
                  assemble::NoRun);
  Scene scene(2);
  scene.whole_run();
  scene.disk->files.erase("/run/" + Scene::name(0));
  CHECK_THROWS_AS(scene.report(), assemble::NoRun);
}

TEST_CASE("a rank that vanished in the middle is lost, what it had done is kept") {
  Scene scene(2);
  scene.begin();
  scene.book().step("a", model::StepState::kBegun, {});
  scene.attempt(1, "a");
  scene.attempt(0, "a");
  scene.book().step("a", model::StepState::kDone, {});
  scene.book().step("b", model::StepState::kBegun, {});
  scene.start(1, "b");
  scene.close(1, model::CloseReason::kRankGone);
  scene.clock.sleep(1);
  scene.close(0, model::CloseReason::kRankGone);
  const model::Report report = scene.report();
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK_FALSE(report.run.completed);
  CHECK(report.run.ended_utc.empty());
  CHECK(verdict(report, "a", 1).outcome == Outcome::kPass);
  CHECK(verdict(report, "b", 1).outcome == Outcome::kUntested);
  CHECK(verdict(report, "b", 1).reason_id == "rank-lost");
  CHECK(verdict(report, "b", 0).reason_id == "rank-lost");
  CHECK(state(report, "b") == "stopped: rank-lost");
  CHECK(rank_of(report, 0).state == model::RankState::kLost);
  REQUIRE(report.attempts.size() == 3);
  CHECK(report.attempts[2].ending ==
        model::Ending(model::ending::RankLost{"rank 1 on node1 vanished while it ran"}));
}

TEST_CASE("a journal that just ends, or is not there, is a lost rank while the run did not end") {
  Scene scene(2);
  scene.begin();
  scene.book().step("a", model::StepState::kBegun, {});
  scene.attempt(0, "a");
  SECTION("it ends in the middle of a line") {
    scene.start(1, "a");
    scene.warden(1).lose_power(20);
    const auto damages = findings(scene.report(), "journal-damaged");
    REQUIRE(damages.size() == 1);
    CHECK(damages[0].severity == Severity::kWarning);
    CHECK(damages[0].subject == Scene::name(1));
    CHECK(rank_of(scene.report(), 1).detail == "its journal ends in the middle");
  }
  SECTION("it is gone") {
    scene.disk->files.erase("/run/" + Scene::name(1));
    CHECK(rank_of(scene.report(), 1).detail == "there is no journal of it");
  }
  const model::Report report = scene.report();
  CHECK(rank_of(report, 1).state == model::RankState::kLost);
  CHECK(findings(report, "rank-lost").size() == 2);
  CHECK(verdict(report, "a", 1).outcome == Outcome::kUntested);
  CHECK(report.acceptance == Acceptance::kIncomplete);
}

TEST_CASE("a torn tail is what a crash leaves, a hole in the middle is not") {
  Scene scene;
  scene.whole_run();
  std::string& bytes = scene.bytes(0);
  SECTION("torn tail") {
    bytes += "{\"j\":\"step\",\"id";
    const model::Report report = scene.report();
    const auto damages = findings(report, "journal-damaged");
    REQUIRE(damages.size() == 1);
    CHECK(damages[0].severity == Severity::kWarning);
    CHECK(report.run.completed);
    CHECK(report.acceptance == Acceptance::kAccepted);
  }
  SECTION("a line in the middle that is no line") {
    const std::size_t at = place_of(bytes, "step");
    bytes.insert(at, "\xff garbage\n");
    const auto lines = std::count(bytes.begin(), bytes.begin() + static_cast<long>(at), '\n');
    const model::Report report = scene.report();
    const auto damages = findings(report, "journal-damaged");
    REQUIRE(damages.size() == 1);
    CHECK(damages[0].severity == Severity::kError);
    CHECK(damages[0].text.find(":" + std::to_string(lines + 1) + ":") != std::string::npos);
    CHECK_FALSE(report.run.completed);
    CHECK(report.acceptance == Acceptance::kIncomplete);
  }
  SECTION("a line in the middle that holds something else than it says") {
    bytes = fakes::unsealed(bytes);
    const std::size_t at = place_of(bytes, "step");
    bytes.insert(at, "{\"j\":\"node\",\"node\":{\"host\":1}}\n");
    const auto lines = std::count(bytes.begin(), bytes.begin() + static_cast<long>(at), '\n');
    bytes = fakes::sealed(bytes);
    const model::Report report = scene.report();
    const auto damages = findings(report, "journal-damaged");
    REQUIRE(damages.size() == 1);
    CHECK(damages[0].text.find(":" + std::to_string(lines + 1) + ":") != std::string::npos);
    CHECK(damages[0].text.find("holds a 'node' that is none") != std::string::npos);
    CHECK_FALSE(report.run.completed);
  }
}

TEST_CASE("whatever byte of a journal is another, the run is not accepted") {
  Scene scene(2);
  scene.whole_run();
  for (int rank = 0; rank < 2; ++rank) {
    const std::string whole = scene.bytes(rank);
    // The last line says that the journal was closed: the run had ended before.
    const std::size_t end = place_of(whole, "close");
    for (std::size_t at = 0; at < end; ++at) {
      if (!rackproof::tests::is_turn_of(at)) continue;
      std::string& bytes = scene.bytes(rank);
      bytes = whole;
      bytes[at] = bytes[at] == '0' ? '1' : '0';
      try {
        const model::Report report = scene.report();
        if (report.acceptance != Acceptance::kAccepted) continue;
        INFO(bytes.substr(at < 80 ? 0 : at - 80, 160));
        CHECK(report.acceptance != Acceptance::kAccepted);
      } catch (const assemble::NoRun&) {
      }
    }
    scene.bytes(rank) = whole;
  }
  CHECK(scene.report().acceptance == Acceptance::kAccepted);
}

TEST_CASE("a run can be cut after any line and still be reported, never as accepted") {
  Scene scene(2);
  scene.whole_run();
  const std::string whole = scene.bytes(0);
  const std::size_t ended = place_of(whole, "ended");
  int reports = 0;
  for (std::size_t at = whole.find('\n'); at != std::string::npos; at = whole.find('\n', at + 1)) {
    scene.bytes(0) = whole.substr(0, at + 1);
    try {
      const model::Report report = scene.report();
      CHECK((report.acceptance == Acceptance::kAccepted) == (at > ended));
      CHECK(model::report_from_json(model::to_json(report)) == report);
      ++reports;
    } catch (const assemble::NoRun&) {
      CHECK(at < place_of(whole, "rank"));
    }
  }
  CHECK(reports > 20);
}

TEST_CASE("a gathered copy counts only where the rank's own journal is missing") {
  Scene scene(2);
  scene.whole_run();
  scene.gather(1);
  SECTION("both: nothing is counted twice") {
    const model::Report report = scene.report();
    CHECK(report.attempts.size() == 4);
    CHECK(report.acceptance == Acceptance::kAccepted);
    std::string& copy = scene.disk->files.at("/run/journals/0001-rank-00001.gathered.jsonl");
    copy = "garbage\n";
    CHECK(model::to_json(scene.report()) == model::to_json(report));
  }
  SECTION("the copy alone") {
    scene.disk->files.erase("/run/" + Scene::name(1));
    const model::Report report = scene.report();
    CHECK(report.attempts.size() == 4);
    CHECK(verdict(report, "a", 1).outcome == Outcome::kPass);
    CHECK(rank_of(report, 1).state == model::RankState::kFinished);
  }
}

TEST_CASE("a roll call with a rank missing names it and its step") {
  Scene scene(2);
  scene.begin();
  scene.book().step("a", model::StepState::kBegun, {});
  scene.book().roll_call("a", {1});
  scene.book().step("a", model::StepState::kStopped,
                    model::reason_of<model::StepReason>("late-rank: rank 1 on node1"));
  scene.book().step("b", model::StepState::kDone, {});
  scene.end();
  const model::Report report = scene.report();
  const auto late = findings(report, "late-rank");
  REQUIRE(late.size() == 1);
  CHECK(late[0].text == "rank 1 on node1 did not come to step a");
  CHECK(late[0].step == "a");
  CHECK(verdict(report, "a", 0).reason_id == "late-rank");
  CHECK(verdict(report, "b", 0).reason_id != "late-rank");
}

TEST_CASE("numbers that the plan does not know are said, not judged") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a", 1, [](const warden::Launch& launch) {
    return fakes::Act(launch)
        .hello()
        .check()
        .metric(kMetric, {99, 100, 101})
        .metric("fake.other", {1})
        .metric("fake.third", {1})
        .end()
        .done();
  });
  scene.end();
  const model::Report report = scene.report();
  const auto unexpected = findings(report, "unexpected-metric");
  REQUIRE(unexpected.size() == 1);
  CHECK(unexpected[0].severity == Severity::kInfo);
  CHECK(unexpected[0].text.find("2 number(s)") != std::string::npos);
  CHECK(report.cells.size() == 2);
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
}

TEST_CASE("a plan that was not written to its end is not a plan") {
  Scene scene;
  scene.whole_run();
  std::string& bytes = scene.bytes(0);
  bytes = fakes::unsealed(bytes);
  const std::size_t at = place_of(bytes, GENERATE("planned", "cell", "plan_step"));
  bytes.erase(at, bytes.find('\n', at) + 1 - at);
  bytes = fakes::sealed(bytes);
  const model::Report report = scene.report();
  const auto damages = findings(report, "journal-damaged");
  REQUIRE(damages.size() == 1);
  CHECK(damages[0].text.find("what the run owed is not known") != std::string::npos);
  CHECK(report.acceptance == Acceptance::kIncomplete);
}

TEST_CASE("what a bench left behind is a finding") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a", 1, [](const warden::Launch& launch) {
    fakes::Performance out = fakes::good(launch, kMetric, {100, 100});
    out.facts.leftovers = 2;
    return out;
  });
  scene.attempt(0, "b", 1, [](const warden::Launch& launch) {
    fakes::Performance out = fakes::good(launch, kMetric, {100, 100});
    out.facts.dropped_lines = 5;
    return out;
  });
  scene.end();
  const model::Report report = scene.report();
  CHECK(findings(report, "straggler-process").size() == 1);
  CHECK(findings(report, "flooded-output").size() == 1);
  CHECK(verdict(report, "a").outcome == Outcome::kUntested);
  CHECK(verdict(report, "b").outcome == Outcome::kUntested);
}

TEST_CASE("numbers at the edge of what a double holds do not keep the report from being written") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a", 1, [](const warden::Launch& launch) {
    return fakes::Act(launch)
        .hello()
        .check()
        .line(R"({"kind":"metric","nonce":")" + launch.attempt +
              R"(","name":"fake.rate","unit":"B/s","better":"more","statistic":"median",)"
              R"("value":1.7e308,"samples":[1.7e308,1.6e308,1.7e308,1.79e308,1.5e308,1e-320],)"
              R"("parameters":{},"subject":{"kind":"node"},"check":"answer"})")
        .end()
        .done();
  });
  scene.end();
  const model::Report report = scene.report();
  REQUIRE(report.cells[0].measurements.size() == 1);
  CHECK(model::report_from_json(model::to_json(report)) == report);
}
