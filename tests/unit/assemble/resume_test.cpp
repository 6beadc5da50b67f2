#include "harness/assemble/assemble.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "reports/json/report_json.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;
using model::Acceptance;
using model::Outcome;
using model::Severity;

TEST_CASE("a resumed run keeps what the first segment had done, and both attempts") {
  Scene scene;
  scene.begin(1);
  scene.book().step("a", model::StepState::kBegun, {});
  scene.attempt(0, "a");
  scene.book().step("a", model::StepState::kDone, {});
  scene.book().step("b", model::StepState::kBegun, {});
  scene.start(0, "b");
  scene.close(0, model::CloseReason::kRankGone);
  const double first = scene.clock.now();
  scene.clock.sleep(100);
  scene.begin(2);
  scene.book().step("b", model::StepState::kBegun, {});
  scene.attempt(0, "b");
  scene.book().step("b", model::StepState::kDone, {});
  scene.end();
  scene.close_all();
  const model::Report report = scene.report();
  CHECK(report.run.segments == 2);
  CHECK(report.run.completed);
  CHECK(report.run.began_utc == "2030-01-01T00:00:00.000Z");
  CHECK(report.run.seconds == Approx(first + 1));
  CHECK(state(report, "a") == "done");
  CHECK(state(report, "b") == "done");
  REQUIRE(report.attempts.size() == 3);
  CHECK(report.attempts[0].step == "a");
  CHECK(model::word(report.attempts[1].ending) == "rank-lost");
  CHECK(model::word(report.attempts[2].ending) == "completed");
  CHECK(report.cells.size() == 2);
  CHECK(report.ranks.size() == 1);
  CHECK(rank_of(report, 0).state == model::RankState::kFinished);
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(verdict(report, "b").outcome == Outcome::kPass);
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(findings(report, "resumed").size() == 1);
}

TEST_CASE("a resume that dies before its plan leaves the run incomplete") {
  Scene scene;
  scene.whole_run();
  scene.begin_unplanned(2);
  scene.warden(0).open_journal("/run/" + Scene::name(0, 2));
  scene.warden(0).note(R"({"j":"open","run":"r","segment":2,"rank":0,"host":"node0"})", true);
  const model::Report report = scene.report();
  CHECK_FALSE(report.run.completed);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.cells.size() == 2);
}

TEST_CASE("a resume that dies while it writes its plan changes nothing of what is owed and done") {
  Scene scene;
  scene.begin(1);
  scene.book().step("a", model::StepState::kBegun, {});
  scene.attempt(0, "a");
  scene.book().step("a", model::StepState::kDone, {});
  scene.close(0, model::CloseReason::kRankGone);
  const model::Report before = scene.report();
  scene.begin(2);
  std::string& bytes = scene.bytes(0, 2);
  // Cut behind any line of it: "planned" is its last.
  const std::string whole = bytes;
  std::size_t end = whole.find('\n');
  for (; end + 1 < whole.size(); end = whole.find('\n', end + 1)) {
    bytes = whole.substr(0, end + 1);
    const model::Report report = scene.report();
    CHECK(report.acceptance == Acceptance::kIncomplete);
    CHECK(report.steps.size() == before.steps.size());
    CHECK(report.cells.size() == before.cells.size());
    CHECK(report.platforms.size() == before.platforms.size());
    CHECK(report.nodes.size() == before.nodes.size());
    CHECK(report.ranks.size() == 1);
    CHECK(state(report, "a") == "done");
    CHECK(verdict(report, "a").outcome == Outcome::kPass);
  }
}

TEST_CASE("a part of a first plan is none") {
  Scene scene;
  scene.begin(1);
  std::string& bytes = scene.bytes(0);
  bytes.erase(bytes.rfind('\n', bytes.find("\"planned\"")) + 1);
  const model::Report report = scene.report();
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.cells.empty());
  CHECK(report.steps.empty());
  CHECK(findings(report, "journal-damaged").size() == 1);
}

TEST_CASE("a resume that dies before its first word leaves the plan as it was") {
  Scene scene;
  scene.begin(1);
  scene.close(0, model::CloseReason::kRankGone);
  scene.begin_unplanned(2);
  scene.warden(0).open_journal("/run/" + Scene::name(0, 2));
  scene.warden(0).note(R"({"j":"open","run":"r","segment":2,"rank":0,"host":"node0"})", true);
  const model::Report report = scene.report();
  CHECK(report.cells.size() == 2);
  CHECK(report.steps.size() == 2);
  CHECK(report.acceptance == Acceptance::kIncomplete);
}

TEST_CASE("resumes that die one after the other before their plan change nothing") {
  Scene scene;
  scene.begin(1);
  scene.book().step("a", model::StepState::kBegun, {});
  scene.attempt(0, "a");
  scene.book().step("a", model::StepState::kDone, {});
  scene.close(0, model::CloseReason::kRankGone);
  const model::Report before = scene.report();
  // One had only opened its journal, the other had told of the run.
  for (const char* last : {"open", "run"}) {
    const int segment = last == std::string("open") ? 2 : 3;
    scene.begin(segment);
    std::string& bytes = scene.bytes(0, segment);
    bytes.erase(bytes.find('\n', bytes.find(std::string(R"("j":")") + last + '"')) + 1);
  }
  const model::Report report = scene.report();
  CHECK(report.run.segments == 3);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.steps.size() == before.steps.size());
  CHECK(report.cells.size() == before.cells.size());
  CHECK(state(report, "a") == "done");
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
}
