#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using model::Outcome;

namespace {

// A second of two processors.
model::HostLoad taken(double share) { return {2, 1, 2, 2 - 2 * share - 0.02, 0, std::nullopt, ""}; }

fakes::Performance in_company(fakes::Performance performance, double share) {
  performance.facts.load = taken(share);
  return performance;
}

fakes::Performance measures(const warden::Launch& launch, double value) {
  return fakes::good(launch, kMetric, fakes::samples_around(value));
}

// While others take `share`, a bench that would reach 100 B/s reaches 50.
fakes::Script beside(const double& share) {
  return [&share](const warden::Launch& launch) {
    return in_company(measures(launch, share > 0 ? 50 : 100), share);
  };
}

std::size_t listeners(Stage& stage, int rank = 0) {
  const auto& all = stage.player(rank).warden.launches();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& launch) {
    return fakes::head_of(launch).bench == "doctor";
  }));
}

bool said(const Stage& stage, const std::string& text) {
  return stage.seen.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("each host is listened to before the first step, by its own program") {
  Stage stage(4, 2);
  stage.request.suite.steps = {step("a")};
  const model::Report report = stage.play();
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  for (const int rank : {0, 2}) CHECK(listeners(stage, rank) == 1);
  for (const int rank : {1, 3}) CHECK(listeners(stage, rank) == 0);
  const warden::Launch& launch = stage.player(0).warden.launches().front();
  CHECK(launch.arguments == std::vector<std::string>{"/bin/rackproof", "doctor", "--listen", "1"});
  CHECK(stage.player(3).warden.share().ranks == std::vector<std::int64_t>{102, 103});
  CHECK_FALSE(stage.player(3).warden.share().looks);
  CHECK(report.attempts.size() == 2);
}

TEST_CASE("a busy host is named before the first step, and the suite may end the run there") {
  Stage stage(2);
  stage.request.suite.steps = {step("a")};
  stage.others = [](const std::string& host) { return taken(host == "node1" ? 0.4 : 0.01); };
  SECTION("as it is") {
    const model::Report report = stage.play();
    CHECK(has_finding(report, "busy-machine", "others took 40 %"));
    CHECK(has_finding(report, "busy-machine", "node1"));
    CHECK_FALSE(has_finding(report, "busy-machine", "node0"));
    CHECK(said(stage, "node1: before the first step others took 40 % of the time of its 2"));
    CHECK(stage.seen.find("before the first step") < stage.seen.find("[1/1] a"));
    CHECK(report.acceptance == model::Acceptance::kAccepted);
  }
  SECTION("with a stop") {
    stage.request.suite.stop = {{"busy-machine", "", model::Severity::kWarning}};
    const model::Report report = stage.play();
    CHECK(state(report, "a").starts_with("not-reached: stopped-by-finding: busy-machine, node1"));
    CHECK(stage.launches().empty());
  }
}

TEST_CASE("what was disturbed is measured again when it is quiet, and only that counts") {
  // Once at least, whatever the suite allows for other reasons.
  const int attempts = GENERATE(1, 2);
  Stage stage;
  double share = 0.5;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = attempts;
  stage.bench = beside(share);
  int asked = 0;
  // Busy for the first few seconds of waiting.
  stage.others = [&](const std::string&) {
    if (++asked > 4) share = 0;
    return taken(share);
  };
  const model::Report report = stage.play();
  REQUIRE(report.attempts.size() == 2);
  CHECK(model::taken_share(report.attempts[0].load) == Approx(0.5));
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(verdict(report, "a").observed == 100);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(report.acceptance_reason.ends_with("other programs disturbed 1 of 2 attempts"));
  CHECK(listeners(stage) == 5);
  CHECK(said(stage, "node0: others took 50 % of the time of its 2 processors; waiting for quiet"));
  CHECK(said(stage, "a (fake-host on 1 node): done in"));
}

TEST_CASE("a host that does not become quiet is waited for once for the whole run") {
  Stage stage;
  const double share = 0.5;
  stage.request.suite.quiet_wait_seconds = 20;
  stage.request.suite.steps = {step("a"), step("b"), step("c")};
  for (config::Step& one : stage.request.suite.steps) one.attempts = 3;
  stage.bench = beside(share);
  stage.others = [](const std::string&) { return taken(0.5); };
  const double began = stage.clock.now();
  const model::Report report = stage.play();
  for (const char* id : {"a", "b", "c"}) {
    CHECK(verdict(report, id).outcome == Outcome::kUntested);
    CHECK(verdict(report, id).reason_id == "disturbed");
    CHECK(state(report, id) == "done");
  }
  CHECK(report.attempts.size() == 3);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.starts_with("other programs disturbed 3 of 3 attempts; "));
  CHECK(said(stage, "done, disturbed by other programs"));
  CHECK(stage.clock.now() - began < 20 + 15);
}

TEST_CASE("a host is busy though nobody has to wait there while nothing is measured") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.others = [](const std::string&) {
    model::HostLoad load = taken(0.5);
    load.waited = 0;
    return load;
  };
  CHECK(has_finding(stage.play(), "busy-machine", "others took 50 %"));
}

TEST_CASE("what is disturbed when it is measured again is untested, and nothing fails") {
  Stage stage;
  const double share = 0.5;
  stage.request.suite.steps = {step("a")};
  stage.bench = beside(share);
  const model::Report report = stage.play();
  CHECK(verdict(report, "a").reason_id == "disturbed");
  CHECK(report.attempts.size() == 2);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a wrong answer fails and is not tried again, whatever else ran") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 3;
  stage.bench = [](const warden::Launch& launch) {
    return in_company(
        fakes::Act(launch).hello().check(false).metric(kMetric, {100, 100}).end(4).done(4), 0.5);
  };
  const model::Report report = stage.play();
  CHECK(verdict(report, "a").reason_id == "wrong-answer");
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(report.attempts.size() == 1);
}

TEST_CASE("only the host that was disturbed measures again") {
  Stage stage(3);
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = [](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    const bool busy = head.host == "node1" && head.number == 1;
    return in_company(measures(launch, busy ? 50 : 100), busy ? 0.5 : 0);
  };
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 4);
  CHECK(report.counts.pass == 3);
  CHECK(listeners(stage, 1) == 2);
  CHECK(listeners(stage, 0) == 1);
}

TEST_CASE("a bench inside the ranks is repeated as a whole") {
  Stage stage(2);
  stage.request.suite.steps = {step("world", config::Placement::kWorld)};
  stage.request.suite.steps[0].attempts = 2;
  const fakes::Script good = stage.bench;
  int runs = 0;
  stage.bench = [&](const warden::Launch& launch) {
    // What the warden of a rank would have seen while the first one ran.
    ++runs;
    stage.player(1).warden.set_guard_load(taken(runs <= 2 ? 0.5 : 0));
    return good(launch);
  };
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 4);
  CHECK(verdict(report, "world").outcome == Outcome::kPass);
  CHECK(report.acceptance_reason.ends_with("other programs disturbed 1 of 2 attempts"));
  CHECK(listeners(stage, 1) == 2);
}

TEST_CASE("a run that is interrupted does not wait for quiet") {
  Stage stage;
  const double share = 0.5;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = beside(share);
  int asked = 0;
  stage.others = [&](const std::string&) {
    if (++asked == 3) stage.interrupts = 1;
    return taken(0.5);
  };
  const model::Report report = stage.play();
  CHECK(report.run.interrupted);
  CHECK(report.attempts.size() == 1);
  CHECK(asked == 3);
}

TEST_CASE("a suite that ignores it neither listens nor repeats, and the report says so") {
  Stage stage;
  const double share = 0.5;
  stage.request.suite.info.policy.disturbed = model::Disturbed::kIgnore;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = beside(share);
  const model::Report report = stage.play();
  CHECK(listeners(stage) == 0);
  CHECK(report.attempts.size() == 1);
  CHECK(verdict(report, "a").reason_id == "below-limit");
  CHECK(has_finding(report, "disturbance-ignored"));
  CHECK(report.acceptance_reason.ends_with(
      "other programs disturbed 1 of 1 attempt, which is ignored"));
}

TEST_CASE("a crash beside other programs is tried again when it is quiet") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = [](const warden::Launch& launch) {
    if (fakes::head_of(launch).number == 2) return in_company(measures(launch, 100), 0);
    return in_company(fakes::Act(launch).hello().killed(SIGSEGV), 0.5);
  };
  const model::Report report = stage.play();
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(listeners(stage) == 2);
  CHECK(said(stage, "a (fake-host on 1 node): done in"));
}
