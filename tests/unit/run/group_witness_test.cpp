#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "tests/unit/run/stage.hpp"

// What becomes of a group whose members wait in vain for one of them.
namespace rackproof::run_test {
namespace {

using fakes::Act;
using model::Outcome;

constexpr double kTokenThere = 2;

config::Step waiting_ring() {
  config::Step out = ring();
  out.grace_seconds = 4;
  return out;
}

std::string reason_of_ring(const model::Report& report) {
  const model::Verdict found = verdict(report, "ring");
  return found.reason_id + ": " + found.reason;
}

// Waits in vain for another member.
fakes::Performance gives_up(const warden::Launch& launch) {
  Act act(launch, 5);
  act.hello();
  if (fakes::head_of(launch).member == 0) act.token(kTokenThere, "id", "00ff");
  return act.end(6).done(6);
}

}  // namespace

TEST_CASE("who waited in vain is not blamed for the one that it waited for") {
  Stage stage(4);
  stage.request.suite.steps = {waiting_ring()};
  SECTION("which fails meanwhile") {
    stage.bench = [](const warden::Launch& launch) {
      if (fakes::head_of(launch).member == 2) return Act(launch, 6).hello().end(5).done(5);
      return gives_up(launch);
    };
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-failed", "member 2 of 4 (rank 2 on node2): ended by itself"));
    CHECK(reason_of_ring(report).starts_with("device-error: "));
    CHECK(reason_of_ring(report).find("member 2 of 4") != std::string::npos);
  }
  SECTION("which was started with a wrong command line, as it will be the next time") {
    stage.request.suite.steps.front().attempts = 3;
    stage.bench = [](const warden::Launch& launch) {
      if (fakes::head_of(launch).member == 2) return Act(launch, 6).hello().end(2).done(2);
      return gives_up(launch);
    };
    const model::Report report = stage.play();
    CHECK(report.attempts.size() == 4);
    CHECK(reason_of_ring(report).starts_with("bench-usage: "));
  }
  SECTION("which dies without a word") {
    stage.bench = [](const warden::Launch& launch) {
      if (fakes::head_of(launch).member == 3) return Act(launch, 6).hello().killed(SIGSEGV);
      return gives_up(launch);
    };
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-failed", "member 3 of 4"));
    CHECK(reason_of_ring(report).starts_with("signalled: "));
  }
  SECTION("which hangs") {
    stage.bench = [](const warden::Launch& launch) {
      return fakes::head_of(launch).member == 1 ? Act(launch, 1000).hello().check().end().done()
                                                : gives_up(launch);
    };
    const model::Report report = stage.play();
    CHECK(report.run.seconds == Approx(5 + 4).margin(1));
    CHECK(has_finding(report, "group-failed",
                      "member 1 of 4 (rank 1 on node1) neither gave up nor ended"));
    CHECK(reason_of_ring(report).find("member 1 of 4") != std::string::npos);
    CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  }
  SECTION("which nobody knows") {
    stage.bench = gives_up;
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-failed", "for which one is not known"));
    CHECK(reason_of_ring(report).starts_with("gave-up: "));
    for (const model::Finding& finding : report.findings) {
      if (finding.id == "group-failed") CHECK_FALSE(finding.evidence.contains("host"));
    }
  }
}

TEST_CASE("whom those that gave up waited for is who had not come to where they did") {
  Stage stage(4);
  stage.request.suite.steps = {waiting_ring()};
  stage.bench = [](const warden::Launch& launch) {
    const int member = fakes::head_of(launch).member;
    // Two neither gave up nor ended: one of them waited like the others.
    fakes::Performance performance = member == 1 || member == 3
                                         ? Act(launch, 1000).hello().check().end().done()
                                         : gives_up(launch);
    const std::int64_t at = member == 1 ? 4 : 5;
    performance.progress = model::Progress{"all_reduce 8 B", 8, {1, at, 0}, {1, 4, 0}, 1, 3, {}};
    return performance;
  };
  const model::Report report = stage.play();
  CHECK(has_finding(report, "group-failed",
                    "member 1 of 4 (rank 1 on node1) had not entered iteration 5 of all_reduce"));
  for (const model::Finding& finding : report.findings) {
    if (finding.id != "group-failed") continue;
    CHECK(finding.evidence.at("member") == contract::Scalar{std::int64_t{1}});
  }
}

}  // namespace rackproof::run_test
