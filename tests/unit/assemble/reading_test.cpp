#include "harness/assemble/reading.hpp"

#include <catch2/catch.hpp>

#include "harness/journal/entry_json.hpp"
#include "tests/fakes/sealed.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;

namespace {

constexpr const char* kOpen = R"({"j":"open","run":"r","segment":1,"rank":0,"host":"h"})";

// One journal of rank 0 out of lines, after those of a whole run's beginning.
assemble::Reading read_lines(const std::vector<std::string>& lines) {
  Scene scene;
  scene.begin();
  std::string& bytes = scene.bytes(0);
  bytes = fakes::unsealed(bytes);
  for (const std::string& line : lines) bytes += line + "\n";
  bytes = fakes::sealed(bytes);
  return assemble::read(scene.files());
}

}  // namespace

TEST_CASE("each journal is known by its rank, segment and end") {
  Scene scene(2);
  scene.begin();
  scene.clock.sleep(3);
  scene.close(1, model::CloseReason::kRankGone);
  const assemble::Reading reading = assemble::read(scene.files());
  REQUIRE(reading.journals.size() == 2);
  CHECK(reading.journals[0].rank == 0);
  CHECK_FALSE(reading.journals[0].closed);
  CHECK(reading.journals[1].rank == 1);
  CHECK(reading.journals[1].host == "node1");
  CHECK(reading.journals[1].segment == 1);
  CHECK(reading.journals[1].closed);
  CHECK(reading.journals[1].close_reason.id == model::CloseReason::kRankGone);
  CHECK(reading.journals[1].close_utc == "2030-01-01T00:00:03.000Z");
}

TEST_CASE("a segment that did not end lasted until its last line") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a");
  scene.attempt(0, "b");
  const assemble::Reading reading = assemble::read(scene.files());
  const assemble::Segment& segment = reading.segments.at(1);
  CHECK(segment.planned);
  CHECK_FALSE(segment.ended);
  CHECK(segment.seconds == Approx(2));
}

TEST_CASE("only rank 0 writes about the run") {
  Scene scene(2);
  scene.begin();
  scene.warden(1).note(R"({"j":"step","id":"a","state":"done","reason":""})", true);
  scene.warden(1).note(R"({"j":"ended","completed":true,"interrupted":false,"seconds":1,"utc":""})",
                       true);
  const assemble::Reading reading = assemble::read(scene.files());
  CHECK(reading.steps.empty());
  CHECK_FALSE(reading.segments.at(1).ended);
}

TEST_CASE("a step that was done stays done") {
  const auto reading = read_lines({R"({"j":"step","id":"a","state":"begun","reason":""})",
                                   R"({"j":"step","id":"a","state":"done","reason":""})",
                                   R"({"j":"step","id":"a","state":"not-reached","reason":"x"})",
                                   R"({"j":"step","id":"b","state":"begun","reason":""})",
                                   R"({"j":"step","id":"b","state":"stopped","reason":"x"})"});
  CHECK(reading.steps.at("a").state == model::StepState::kDone);
  CHECK(reading.steps.at("b").state == model::StepState::kStopped);
  CHECK(reading.steps.at("b").reason.words == "x");
}

TEST_CASE("fields of another type are passed over or named as damage, never trusted") {
  const auto reading = read_lines({R"({"j":"step","id":7,"state":["done"],"reason":null})",
                                   R"({"j":"rank_lost","rank":"one","why":1})",
                                   R"({"j":"ended","completed":"yes","seconds":"1"})",
                                   R"({"j":"roll_call","step":"a","missing":"all"})",
                                   R"({"j":"cell"})", R"({"j":"finding","finding":[]})"});
  CHECK(reading.steps.empty());
  CHECK(reading.segments.at(1).ended);
  CHECK_FALSE(reading.segments.at(1).completed);
  CHECK(reading.rolls.empty());
  const auto& damages = reading.journals.at(0).damages;
  REQUIRE(damages.size() == 4);
  CHECK(damages[0].what.find("'step'") != std::string::npos);
  CHECK(damages[1].what.find("'roll_call'") != std::string::npos);
  CHECK(damages[2].what.find("'cell'") != std::string::npos);
  CHECK(damages[3].what.find("'finding'") != std::string::npos);
  CHECK(damages[1].line > 0);
  CHECK(damages[2].line == damages[1].line + 1);
}

TEST_CASE("a policy that no judge can follow is damage, and the run before it stands") {
  Scene scene;
  scene.begin();
  model::SuiteInfo suite;
  suite.id = "other";
  suite.policy.confidence = 1.95;
  scene.warden(0).note(journal::to_json(journal::Run{{}, {}, suite}), false);
  const assemble::Reading reading = assemble::read(scene.files());
  CHECK(reading.report.suite.id == "suite");
  CHECK(reading.report.run.id == "r");
  CHECK(reading.report.cells.size() == 2);
  REQUIRE(reading.journals.at(0).damages.size() == 1);
  CHECK(reading.journals[0].damages[0].what.find("confidence") != std::string::npos);
}

TEST_CASE("times that are none count as nothing") {
  for (const char* seconds : {"1.7e308", "-5", "\"long\""}) {
    const std::string text = seconds;
    const auto reading = read_lines(
        {R"({"j":"step","id":"a","state":"done","reason":"","t":)" + text + "}",
         R"({"j":"ended","completed":true,"interrupted":false,"utc":"","seconds":)" + text + "}"});
    CHECK(reading.segments.at(1).seconds == 0);
  }
}

TEST_CASE("kinds of line that a later version may write are passed over") {
  const auto reading = read_lines({R"({"j":"telemetry","watts":300})"});
  CHECK(reading.journals.at(0).damages.empty());
}

TEST_CASE("an attempt belongs to the segment that began it") {
  Scene scene;
  scene.begin(1);
  scene.attempt(0, "a");
  scene.begin(2);
  scene.attempt(0, "a");
  const assemble::Reading reading = assemble::read(scene.files());
  REQUIRE(reading.report.attempts.size() == 2);
  CHECK(reading.segment_of.at("r/1/a/0/1") == 1);
  CHECK(reading.segment_of.at("r/2/a/0/1") == 2);
  CHECK(reading.report.attempts[1].resumed == 1);
}

TEST_CASE("a segment says anew who is there, and forgets who was lost") {
  Scene scene(2);
  scene.begin(1, {1});
  scene.book().rank_lost(1, "unknown host", "did not arrive", "");
  scene.begin(2);
  const assemble::Reading reading = assemble::read(scene.files());
  CHECK(reading.lost.empty());
  CHECK(reading.never_arrived.empty());
  CHECK(reading.report.ranks.size() == 2);
  CHECK(reading.report.nodes.size() == 2);
  CHECK(reading.report.cells.size() == 4);
  CHECK(reading.report.platforms.size() == 1);
}

TEST_CASE("how hosts were set up before a resume keeps nobody out after it") {
  Scene scene;
  model::Finding odd;
  odd.id = "config-mismatch";
  odd.severity = model::Severity::kIsolate;
  odd.subject = "h";
  odd.text = "gpu.ecc is false";
  odd.evidence["fact"] = std::string("gpu.ecc");
  scene.begin(1);
  scene.book().append(journal::Finding{odd});
  scene.begin(2);
  SECTION("when it was mended") {
    const auto findings = assemble::read(scene.files()).report.findings;
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == model::Severity::kWarning);
    CHECK(findings[0].text ==
          "gpu.ecc is false; found before the run was continued, and not any more");
  }
  SECTION("and does when it is found again, once") {
    scene.book().append(journal::Finding{odd});
    const auto findings = assemble::read(scene.files()).report.findings;
    REQUIRE(findings.size() == 1);
    CHECK(findings[0] == odd);
  }
}

TEST_CASE("a gathered copy without an own journal is read like one") {
  Scene scene(2);
  scene.begin();
  scene.attempt(1, "a");
  scene.gather(1);
  CHECK(assemble::read(scene.files()).journals.size() == 2);
  scene.disk->files.erase("/run/" + Scene::name(1));
  const assemble::Reading reading = assemble::read(scene.files());
  REQUIRE(reading.journals.size() == 2);
  CHECK(reading.journals[1].name.find(".gathered.") != std::string::npos);
  CHECK(reading.segment_of.size() == 1);
}

TEST_CASE("a journal without the line that says whose it is cannot speak for rank 0") {
  std::vector<assemble::JournalFile> files = {
      {"journals/0001-rank-00003.jsonl",
       fakes::sealed(
           "{\"j\":\"open\",\"segment\":1,\"rank\":3,\"host\":\"h\"}\n{\"j\":\"run\"}\n")}};
  CHECK_THROWS_AS(assemble::read(files), assemble::NoRun);
  files = {{"journals/0001-rank-00000.jsonl", fakes::sealed(std::string(kOpen) + "\n")}};
  CHECK_THROWS_AS(assemble::read(files), assemble::NoRun);
}
