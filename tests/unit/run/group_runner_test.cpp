#include <catch2/catch.hpp>
#include <csignal>

#include "benches/protocol/token_line.hpp"
#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using fakes::Act;
using model::Outcome;

namespace {
constexpr double kTokenAt = 2;

Stage& with(Stage& stage, const config::Step& step) {
  stage.request.suite.steps = {step};
  return stage;
}

int member_of(const warden::Launch& launch) { return fakes::head_of(launch).member; }

// What a member that works says; the first one speaks for the group.
Act member(const warden::Launch& launch, double seconds = 10, double value = 100,
           double spread = 0.001) {
  Act act(launch, seconds);
  act.hello();
  if (member_of(launch) == 0) act.token(kTokenAt, "id", "00ff");
  act.check();
  if (member_of(launch) != 0) return act;
  protocol::Metric metric;
  metric.name = kMetric;
  metric.unit = "B/s";
  metric.value = value;
  metric.samples = fakes::samples_around(value, spread);
  metric.subject.kind = contract::SubjectKind::kGroup;
  metric.check = "answer";
  return act.metric(metric);
}

fakes::Performance good_member(const warden::Launch& launch) { return member(launch).end().done(); }

// All members work but one.
fakes::Script but(int which, const fakes::Script& other) {
  return [=](const warden::Launch& launch) {
    return member_of(launch) == which ? other(launch) : good_member(launch);
  };
}

fakes::Performance dies_early(const warden::Launch& launch) {
  return Act(launch, 1).hello().killed(SIGSEGV);
}

const model::Attempt& attempt_of(const model::Report& report, int member, int number = 1) {
  for (const auto& attempt : report.attempts) {
    if (attempt.member == member && attempt.number == number) return attempt;
  }
  throw std::runtime_error("no attempt of member " + std::to_string(member));
}

std::string reason(const model::Report& report) {
  const model::Verdict found = verdict(report, "ring");
  return found.reason_id + ": " + found.reason;
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a rank that is lost before the token comes spoils its group and holds up nobody") {
  Stage stage(3);
  config::Step late = ring();
  late.bring_up_seconds = 55;
  with(stage, late).bench = [](const warden::Launch& launch) {
    fakes::Performance out = member(launch, 50).end().done();
    for (fakes::Line& line : out.lines) line.at = std::max(line.at, line.at == 0 ? 0.0 : 40.0);
    return out;
  };
  stage.clock.at(1, [&] { stage.player(2).frozen = true; });
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(has_finding(report, "group-failed", "member 2 of 3 (rank 2"));
  CHECK(state(report, "ring") == "stopped: rank-lost: rank 2 on node2");
  CHECK(report.run.seconds < 100);
}

TEST_CASE("the first member's token reaches every other member's stdin, and only theirs") {
  Stage stage(4, 2);
  with(stage, ring()).bench = good_member;
  const model::Report report = stage.play();
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(verdict(report, "ring").outcome == Outcome::kPass);
  const auto launches = stage.launches();
  REQUIRE(launches.size() == 4);
  const std::string group = "test-run/1/ring/0/1";
  const std::string line = protocol::token_line(group, 4, {"id", "00ff"});
  for (const auto& launch : launches) {
    const model::Attempt head = fakes::head_of(launch);
    CHECK(head.members == 4);
    CHECK(head.member == head.rank);
    CHECK(launch.attempt == group + "/member-" + std::to_string(head.member));
    CHECK(launch.environment.at("RACKPROOF_GROUP") == group);
    CHECK(launch.stdin_text == (head.member == 0 ? "" : line));
    CHECK(launch.arguments == std::vector<std::string>{"/bench/ring-nccl", "--json", "--ranks", "4",
                                                       "--rank", std::to_string(head.member)});
  }
  CHECK(attempt_of(report, 3).rank == 3);
  CHECK(attempt_of(report, 3).host == "node1");
  CHECK(report.cells[0].measurements.size() == 1);
}

TEST_CASE("the others start when the token is there and share the group's deadline") {
  Stage stage(3);
  with(stage, ring()).bench = good_member;
  stage.play();
  const auto launches = stage.launches();
  REQUIRE(launches.size() == 3);
  CHECK(launches[0].deadline_seconds == 60);
  CHECK(launches[1].deadline_seconds == Approx(60 - kTokenAt).margin(0.3));
  CHECK(launches[2].deadline_seconds == Approx(60 - kTokenAt).margin(0.3));
}

TEST_CASE("members are the devices of all hosts, several to a rank") {
  Stage stage(2);
  config::Step step = ring();
  step.members = config::Members::kDevices;
  with(stage, step).bench = good_member;
  stage.survey = [](const warden::Launch& launch) {
    model::NodeInventory found;
    found.host = fakes::head_of(launch).host;
    for (const int i : {0, 1}) {
      found.devices.push_back({"GPU-" + found.host + "-" + std::to_string(i), i, {}});
    }
    return fakes::inventory(recognised(found));
  };
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").outcome == Outcome::kPass);
  const auto launches = stage.launches();
  REQUIRE(launches.size() == 4);
  for (const auto& launch : launches) {
    const model::Attempt head = fakes::head_of(launch);
    CHECK(head.rank == head.member / 2);
    CHECK(launch.arguments.back() == "GPU-" + head.host + "-" + std::to_string(head.member % 2));
    CHECK(launch.arguments[launch.arguments.size() - 2] == "--device");
    CHECK(model::device_of(attempt_of(report, head.member)) == launch.arguments.back());
    CHECK(launch.environment.at("CUDA_VISIBLE_DEVICES") == launch.arguments.back());
  }
}

TEST_CASE("a first member that dies before its token releases everybody and is named") {
  Stage stage(4);
  with(stage, ring()).bench = but(0, dies_early);
  const model::Report report = stage.play();
  CHECK(stage.launches().size() == 1);
  CHECK(report.run.seconds < 3);
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "signalled");
  CHECK(has(reason(report), "member 0 of 4 (rank 0 on node0)"));
}

TEST_CASE("a first member without a token is ended at the bring-up deadline and named") {
  Stage stage(4);
  with(stage, ring()).bench =
      but(0, [](const warden::Launch& launch) { return Act(launch, 1000).hello().done(); });
  const model::Report report = stage.play();
  CHECK(stage.launches().size() == 1);
  CHECK(report.run.seconds == Approx(10).margin(1));
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "bring-up");
  CHECK(has(reason(report), "member 0 of 4"));
  CHECK(has(reason(report), "no token within 10 s"));
  CHECK(has_finding(report, "group-failed", "member 0 of 4"));
}

TEST_CASE("a first member that ends well and gave no token measured nothing") {
  Stage stage(2);
  with(stage, ring()).bench = but(
      0, [](const warden::Launch& launch) { return Act(launch, 1).hello().check().end().done(); });
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "bring-up");
  CHECK(state(report, "ring") == "done");
}

TEST_CASE("a token of another form is passed to nobody") {
  Stage stage(2);
  const std::string value = GENERATE("two words", "", "a\nb");
  with(stage, ring()).bench = but(0, [=](const warden::Launch& launch) {
    return Act(launch, 30).hello().token(1, "id", value).check().end().done();
  });
  const model::Report report = stage.play();
  CHECK(stage.launches().size() == 1);
  CHECK(report.run.seconds < 3);
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "bring-up");
}

TEST_CASE("a second token spoils the group") {
  Stage stage(2);
  with(stage, ring()).bench = but(0, [](const warden::Launch& launch) {
    return member(launch).token(5, "id", "aa").end().done();
  });
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").reason_id == "garbled");
}

TEST_CASE("when a member dies the others are ended at once, and the dead one is named") {
  Stage stage(4);
  with(stage, ring()).bench = but(2, dies_early);
  const model::Report report = stage.play();
  REQUIRE(report.attempts.size() == 4);
  CHECK(report.run.seconds < kTokenAt + 3);
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(verdict(report, "ring").reason_id == "signalled");
  CHECK(has(reason(report), "member 2 of 4 (rank 2 on node2)"));
  for (const int other : {0, 1, 3}) {
    const auto* how = std::get_if<model::ending::Cancelled>(&attempt_of(report, other).ending);
    REQUIRE((how != nullptr && how->by.id == model::CancelReason::kMemberFailed));
    CHECK(has(how->by.words, "member 2 of 4 (rank 2 on node2) ended by signal 11"));
  }
  CHECK(state(report, "ring") == "done");
  CHECK(has(stage.seen, "done, with failures"));
}

TEST_CASE("of several that failed the first one is named") {
  Stage stage(3);
  // Member 1 fails when member 2 is gone, before it hears that it is to end.
  stage.star.delay(1, 0.5);
  with(stage, ring()).bench = [](const warden::Launch& launch) {
    if (member_of(launch) == 1) return Act(launch, 1).hello().end(5).done(5);
    return member_of(launch) == 2 ? dies_early(launch) : good_member(launch);
  };
  const model::Report report = stage.play();
  CHECK(attempt_of(report, 1).ending == model::Ending(model::ending::Completed{5}));
  CHECK(has(reason(report), "member 2 of 3"));
  CHECK(has_finding(report, "group-failed", "member 2 of 3"));
}

TEST_CASE("a member with a wrong answer fails the group, after the others had a moment to end") {
  Stage stage(3);
  config::Step step = ring();
  step.grace_seconds = 4;
  const auto is_wrong = [](const warden::Launch& launch) {
    return Act(launch, 5).hello().check(false, "device.matrix").end(4).done(4);
  };
  with(stage, step);
  SECTION("they end") {
    stage.bench = but(1, is_wrong);
    const model::Report report = stage.play();
    CHECK(attempt_of(report, 0).ending == model::Ending(model::ending::Completed{0}));
    CHECK(verdict(report, "ring").outcome == Outcome::kFail);
    CHECK(has(reason(report), "device.matrix"));
    CHECK(has(reason(report), "member 1 of 3"));
  }
  SECTION("they hang") {
    stage.bench = [&](const warden::Launch& launch) {
      return member_of(launch) == 1 ? is_wrong(launch) : member(launch, 1000).end().done();
    };
    const model::Report report = stage.play();
    CHECK(report.run.seconds == Approx(kTokenAt + 5 + 4).margin(1));
    CHECK(verdict(report, "ring").outcome == Outcome::kFail);
    CHECK(model::word(attempt_of(report, 0).ending) == "cancelled");
  }
}

TEST_CASE("a member on a lost rank takes its group with it") {
  Stage stage(3);
  with(stage, ring()).bench = [](const warden::Launch& launch) {
    return member(launch, 50).end().done();
  };
  stage.clock.at(5, [&] { stage.kill(1); });
  const model::Report report = stage.play();
  CHECK(report.run.seconds < 5 + crew::kSilenceSeconds + 3);
  CHECK(verdict(report, "ring").outcome == Outcome::kUntested);
  CHECK(model::word(attempt_of(report, 2).ending) == "cancelled");
  CHECK(has(state(report, "ring"), "rank-lost: rank 1 on node1"));
}

TEST_CASE("a group with a lost rank is not begun again") {
  Stage stage(3);
  config::Step second = ring();
  second.id = "again";
  with(stage, ring()).bench = [](const warden::Launch& launch) {
    return member(launch, 40).end().done();
  };
  stage.request.suite.steps.push_back(second);
  stage.clock.at(5, [&] { stage.kill(1); });
  const model::Report report = stage.play();
  CHECK(verdict(report, "again").outcome == Outcome::kUntested);
  CHECK(verdict(report, "again").reason_id == "rank-lost");
  CHECK(stage.launches().size() == 3);
}

TEST_CASE("a group that did not come together is tried again, and a new name is given") {
  Stage stage(2);
  config::Step step = ring();
  step.attempts = 2;
  with(stage, step).bench = [](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    if (head.number == 1) return Act(launch, 1000).hello().done();
    return good_member(launch);
  };
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").outcome == Outcome::kPass);
  const auto launches = stage.launches();
  REQUIRE(launches.size() == 3);
  CHECK(launches[0].environment.at("RACKPROOF_GROUP") == "test-run/1/ring/0/1");
  CHECK(launches[1].environment.at("RACKPROOF_GROUP") == "test-run/1/ring/0/2");
  CHECK(has_finding(report, "flaky"));
}

TEST_CASE("a wrong answer or a usage error of a member is not tried again") {
  for (const int code : {2, 3, 4}) {
    Stage stage(2);
    config::Step step = ring();
    step.attempts = 3;
    with(stage, step).bench = but(1, [=](const warden::Launch& launch) {
      return Act(launch, 1).hello().end(code).done(code);
    });
    stage.play();
    CHECK(stage.launches().size() == 2);
  }
}

TEST_CASE("a group whose number straddles its limit is measured again as a whole") {
  Stage stage(2);
  config::Step step = ring();
  step.attempts = 3;
  with(stage, step).bench = [](const warden::Launch& launch) {
    return member(launch, 10, 91, 0.1).end().done();
  };
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 6);
  CHECK(report.cells[0].measurements.size() == 3);
}

TEST_CASE("an interrupt ends the group and starts nobody") {
  Stage stage(3);
  with(stage, ring()).bench = good_member;
  stage.clock.at(1, [&] { stage.interrupts = 1; });
  const model::Report report = stage.play();
  CHECK(stage.launches().size() == 1);
  CHECK(report.run.interrupted);
  CHECK(verdict(report, "ring").reason_id == "interrupted");
}

TEST_CASE("groups of several nodes run at the same time, and one failure stays with its group") {
  Stage stage(4, 2);
  with(stage, ring(config::Placement::kGroups)).bench = [](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    return head.host == "node1" && head.member == 1 ? dies_early(launch) : good_member(launch);
  };
  const model::Report report = stage.play();
  REQUIRE(report.cells.size() == 2);
  CHECK(report.cells[0].verdict.outcome == Outcome::kPass);
  CHECK(report.cells[1].verdict.outcome == Outcome::kUntested);
  CHECK(report.cells[1].verdict.reason_id == "signalled");
  CHECK(report.run.seconds < 15);
  CHECK(has(stage.seen, "ring (ring-nccl over 4 ranks in 2 groups)"));
}

TEST_CASE("links are told by member numbers and judged as links") {
  Stage stage(3);
  config::Step step = ring();
  step.expect[0].for_each = "link";
  with(stage, step).bench = [](const warden::Launch& launch) {
    Act act(launch, 5);
    act.hello();
    if (member_of(launch) != 0) return act.check().end().done();
    act.token(1, "id", "00ff").check();
    for (const auto& [near, far] :
         {std::pair("0", "1"), std::pair("0", "2"), std::pair("1", "2")}) {
      protocol::Metric metric;
      metric.name = kMetric;
      metric.unit = "B/s";
      metric.value = 100;
      metric.samples = fakes::samples_around(100);
      metric.subject = {contract::SubjectKind::kLink, near, far};
      metric.check = "answer";
      act.metric(metric);
    }
    return act.end().done();
  };
  const model::Report report = stage.play();
  REQUIRE(report.cells.size() == 3);
  CHECK(report.counts.pass == 3);
  CHECK(model::label(report.cells[1].subject) == "node0/rank 0 - node2/rank 2");
}
