#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;
using Catch::EndsWith;

namespace {

model::Finding only(const model::Report& report, const std::string& id) {
  std::vector<model::Finding> found;
  std::copy_if(report.findings.begin(), report.findings.end(), std::back_inserter(found),
               [&](const model::Finding& finding) { return finding.id == id; });
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("a run that was asked to stop is interrupted, however its end was cut off") {
  Scene scene(2);
  scene.begin();
  scene.attempt(0, "a");
  scene.book().stopping("interrupted");
  SECTION("nothing more came") {}
  SECTION("its rank was killed before it was through") {
    scene.close(0, model::CloseReason::kRankGone);
  }
  SECTION("it ended in order") { scene.end(false, true); }
  const model::Report report = scene.report();
  CHECK(report.run.interrupted);
  CHECK_FALSE(report.run.completed);
  CHECK(only(report, "interrupted").text == "the run was asked to stop before it was through");
}

TEST_CASE("a launcher that asks the others to stop after a loss is not taken for a user") {
  Scene scene(3);
  scene.begin();
  scene.start(2, "a");
  scene.close(2, model::CloseReason::kRankGone);
  scene.clock.sleep(1);
  scene.book().stopping("interrupted");
  scene.clock.sleep(1);
  scene.close(0, model::CloseReason::kRankGone);
  scene.close(1, model::CloseReason::kRankGone);
  CHECK_THAT(only(scene.report(), "interrupted").text,
             EndsWith(", after rank 2 on node2 vanished at 2030-01-01T00:00:00.000Z"));
}

TEST_CASE("a rank that its warden ended for standing still is lost, with its last step") {
  Scene scene(2);
  scene.begin();
  scene.attempt(1, "a");
  scene.start(1, "b");
  scene.close(1, model::CloseReason::kRankStopped);
  SECTION("unknown to rank 0") {
    scene.clock.sleep(1);
    scene.close(0, model::CloseReason::kRankGone);
    const model::Report report = scene.report();
    const auto found =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [](const auto& finding) { return finding.subject == "rank 1 on node1"; });
    REQUIRE(found != report.findings.end());
    const model::Finding& lost = *found;
    CHECK(lost.step == "b");
    CHECK(lost.text.find("stood still, stopped by a signal, and was ended at 2030") !=
          std::string::npos);
    CHECK_THAT(lost.text, EndsWith("; the last step it reached was b"));
  }
  SECTION("given up by rank 0") {
    scene.book().rank_lost(1, "node1", "silent for 20 s; the last step it reached was b", "b");
    scene.end(false);
    const model::Finding lost = only(scene.report(), "rank-lost");
    CHECK(lost.text == "rank 1 on node1: silent for 20 s; the last step it reached was b");
    CHECK(lost.step == "b");
  }
}
