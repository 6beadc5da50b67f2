#include "harness/assemble/amended.hpp"

#include <catch2/catch.hpp>

#include "harness/journal/entry.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;
using model::Acceptance;
using model::Outcome;

namespace {

// Two hosts; node1 is at half the speed in step b.
void first_run(Scene& scene) {
  scene.begin(1);
  for (const char* step : {"a", "b"}) {
    scene.book().step(step, model::StepState::kBegun, {});
    scene.attempt(0, step);
    scene.attempt(1, step, 1, std::string(step) == "b" ? 50 : 100);
    scene.book().step(step, model::StepState::kDone, {});
  }
  scene.end();
  scene.close_all();
}

// The second segment begins with it, before it says anything else.
void repair(Scene& scene, const std::vector<journal::Kept>& kept) {
  model::Amends amends;
  amends.sha256 = std::string(64, 'a');
  amends.run = "before";
  amends.acceptance = "rejected";
  amends.repairs = {{"node1", "", "replaced", "4711"}};
  scene.repaired = journal::Repair{amends};
  scene.kept = kept;
  scene.clock.sleep(1000);
  scene.begin(2);
}

void measure_again(Scene& scene, double value) {
  for (const char* step : {"a", "b"}) {
    scene.book().step(step, model::StepState::kBegun, {});
    scene.attempt(1, step, 1, value);
    scene.book().step(step, model::StepState::kDone, {});
  }
  scene.end();
  scene.close_all();
}

const std::vector<journal::Kept> kNode0 = {{"a", false, {"node0"}}, {"b", false, {"node0"}}};

}  // namespace

TEST_CASE("after a repair what is kept and what was measured again make one report") {
  Scene scene(2);
  first_run(scene);
  CHECK(scene.report().acceptance == Acceptance::kRejected);
  repair(scene, kNode0);
  measure_again(scene, 100);
  const model::Report report = scene.report();
  CHECK(report.acceptance == Acceptance::kAccepted);
  REQUIRE(report.amends);
  CHECK(report.amends->measured_again == 2);
  CHECK(report.amends->results == 4);
  CHECK(report.attempts.size() == 4);
  CHECK(report.amends->oldest_utc == "2030-01-01T00:00:00.000Z");
  for (const model::Cell& cell : report.cells) {
    CHECK(cell.evidence_utc.empty() == (cell.subject.host == "node1"));
  }
  CHECK(report.run.began_utc > "2030-01-01T00:16");
  CHECK(report.run.seconds < 1000);
  CHECK(findings(report, "amended").size() == 1);
  CHECK(findings(report, "resumed").empty());
}

TEST_CASE("a fault that is still there after a repair fails again") {
  Scene scene(2);
  first_run(scene);
  repair(scene, kNode0);
  measure_again(scene, 50);
  CHECK(scene.report().acceptance == Acceptance::kRejected);
}

TEST_CASE("what no line keeps after a repair is untested until it is measured again") {
  Scene scene(2);
  first_run(scene);
  repair(scene, {{"a", false, {"node0"}}});
  measure_again(scene, 100);
  const model::Report report = scene.report();
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(verdict(report, "b").outcome == Outcome::kUntested);
  CHECK(report.acceptance == Acceptance::kIncomplete);
}

TEST_CASE("a repair whose run ends at any line leaves nothing accepted") {
  Scene scene(2);
  scene.whole_run();
  CHECK(scene.report().acceptance == Acceptance::kAccepted);
  repair(scene, kNode0);
  measure_again(scene, 100);
  CHECK(scene.report().acceptance == Acceptance::kAccepted);
  std::string& bytes = scene.bytes(0, 2);
  const std::string whole = bytes;
  const std::size_t ended = whole.find("\"j\":\"ended\"");
  REQUIRE(ended != std::string::npos);
  // From the repair on, which is the first line behind the one that opens the journal.
  for (std::size_t end = whole.find('\n', whole.find('\n') + 1); end < ended;
       end = whole.find('\n', end + 1)) {
    bytes = whole.substr(0, end + 1);
    CHECK(scene.report().acceptance == Acceptance::kIncomplete);
  }
}
