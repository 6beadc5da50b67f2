#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;

namespace {

config::Step hanging_ring() {
  config::Step out = ring();
  out.attempts = 1;
  return out;
}

// Comes to a place and stays there until its deadline.
fakes::Script stays_in(const std::map<int, std::pair<std::string, double>>& places) {
  return [=](const warden::Launch& launch) {
    fakes::Act act(launch, 1000);
    act.hello();
    const int member = fakes::head_of(launch).member;
    if (member == 0) act.token(2, "id", "00ff");
    const auto place = places.find(member);
    if (place != places.end()) act.phase(5, place->second.first, place->second.second);
    return act.done();
  };
}

std::vector<model::Finding> group_failures(const model::Report& report) {
  std::vector<model::Finding> found;
  for (const auto& finding : report.findings) {
    if (finding.id == "group-failed") found.push_back(finding);
  }
  return found;
}

}  // namespace

TEST_CASE("at a deadline who did not come as far is named, not who was stopped first") {
  Stage stage(3);
  stage.request.suite.steps = {hanging_ring()};
  stage.bench = stays_in({{0, {"8 KiB", 0.5}}, {1, {"8 KiB", 0.5}}, {2, {"8 B", 0.1}}});
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").outcome == model::Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "timed-out");
  const auto found = group_failures(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text ==
        "not done at its deadline; member 2 of 3 (rank 2 on node2) (last in '8 B') had not come to "
        "'8 KiB' as the others had");
  CHECK(found[0].evidence.at("host") == contract::Scalar("node2"));
  CHECK(found[0].evidence.at("rank") == contract::Scalar{std::int64_t{2}});
  CHECK(found[0].evidence.at("behind_member") == contract::Scalar{std::int64_t{2}});
}

TEST_CASE("of several that did not come as far none is the one") {
  Stage stage(3);
  stage.request.suite.steps = {hanging_ring()};
  stage.bench = stays_in({{0, {"8 KiB", 0.5}}, {1, {"8 B", 0.1}}, {2, {"8 B", 0.1}}});
  const auto found = group_failures(stage.play());
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.find(
            "member 1 of 3 (rank 1 on node1) (last in '8 B'), member 2 of 3 (rank 2") !=
        std::string::npos);
  CHECK_FALSE(found[0].evidence.contains("host"));
  CHECK_FALSE(found[0].evidence.contains("behind_member"));
}

TEST_CASE("who had not entered what the others wait in is named with the iteration") {
  Stage stage(3);
  stage.request.suite.steps = {hanging_ring()};
  const auto same_phase = stays_in({{0, {"8 B", 0.1}}, {1, {"8 B", 0.1}}, {2, {"8 B", 0.1}}});
  const auto told = [&](double still) {
    return [=](const warden::Launch& launch) {
      fakes::Performance performance = same_phase(launch);
      const std::int64_t at = fakes::head_of(launch).member == 1 ? 127 : 128;
      performance.progress =
          model::Progress{"all_reduce 8 B", 8, {1, at, 0}, {1, 127, 0}, 1, still, {}};
      return performance;
    };
  };
  stage.bench = told(15);
  const model::Report report = stage.play();
  const auto found = group_failures(report);
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].text ==
      "not done at its deadline; member 1 of 3 (rank 1 on node1) had not entered iteration 128 of "
      "all_reduce 8 B, in which the 2 others had waited for 15 s; it had completed iteration 127 "
      "of all_reduce 8 B");
  CHECK(found[0].evidence.at("behind_member") == contract::Scalar{std::int64_t{1}});
  CHECK(found[0].evidence.at("host") == contract::Scalar("node1"));
  CHECK(found[0].evidence.at("iteration") == contract::Scalar{std::int64_t{128}});
  CHECK(found[0].evidence.at("bytes") == contract::Scalar{std::int64_t{8}});
  CHECK(verdict(report, "ring").reason_id == "timed-out");
  CHECK_THAT(report.acceptance_reason, Catch::StartsWith("step ring, ") &&
                                           Catch::Contains("member 1 of 3 (rank 1 on node1) had "
                                                           "not entered iteration 128"));
  Stage moving(3);
  moving.request.suite.steps = {hanging_ring()};
  moving.bench = told(0);
  CHECK_THAT(group_failures(moving.play()).at(0).text, Catch::Contains("all 3 were in '8 B'"));
}

TEST_CASE("where all members wait at the same place nobody is named for it") {
  for (const bool silent : {false, true}) {
    Stage stage(3);
    stage.request.suite.steps = {hanging_ring()};
    stage.bench = silent ? stays_in({})
                         : stays_in({{0, {"8 B", 0.1}}, {1, {"8 B", 0.12}}, {2, {"8 B", 0.1}}});
    const auto found = group_failures(stage.play());
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0].text,
               Catch::Contains("for which member the others waited is not known: all 3 were " +
                               std::string(silent ? "without a phase" : "in '8 B'")));
    CHECK_FALSE(found[0].evidence.contains("host"));
  }
}
