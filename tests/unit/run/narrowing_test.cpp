#include "harness/run/narrowing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>

#include "tests/unit/run/stage.hpp"

namespace rackproof::run_test {
using fakes::Act;
using fakes::Performance;

namespace {

constexpr double kNeverEnds = 1000;

/// What a group does with these hosts.
using Fails = std::function<bool(const std::vector<std::string>& hosts)>;

bool with_host(const std::vector<std::string>& hosts, const std::string& host) {
  return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
}

Performance speak(const warden::Launch& launch, bool wrong) {
  Act act(launch, 5);
  act.hello();
  if (fakes::head_of(launch).member != 0) return act.check().end().done();
  act.token(1, "id", "00ff").check(!wrong);
  if (wrong) return act.end(4).done(4);
  protocol::Metric metric;
  metric.name = kMetric;
  metric.unit = "B/s";
  metric.value = 100;
  metric.samples = fakes::samples_around(100, 0.001);
  metric.subject.kind = contract::SubjectKind::kGroup;
  metric.check = "answer";
  return act.metric(metric).end().done();
}

/// Groups with a wrong answer where `fails` says so.
fakes::Script wrong_where(Fails fails) {
  return [fails = std::move(fails)](const warden::Launch& launch) {
    return speak(launch, fails(fakes::head_of(launch).subject.members));
  };
}

/// Groups that hang, all at the same place.
fakes::Script hangs_where(Fails fails) {
  return [fails = std::move(fails)](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    if (!fails(head.subject.members)) return speak(launch, false);
    Act act(launch, kNeverEnds);
    act.hello();
    if (head.member == 0) act.token(1, "id", "00ff");
    return act.phase(2, "measuring", 0.5).done();
  };
}

std::vector<model::Finding> findings_of(const model::Report& report, const std::string& id) {
  std::vector<model::Finding> found;
  for (const model::Finding& one : report.findings) {
    if (one.id == id) found.push_back(one);
  }
  return found;
}

std::size_t parts_of(const model::Report& report) {
  return static_cast<std::size_t>(
      std::count_if(report.attempts.begin(), report.attempts.end(),
                    [](const auto& one) { return one.narrows && one.member == 0; }));
}

}  // namespace

TEST_CASE("the member with which each part of a group gives a wrong answer is named") {
  Stage stage(8);
  stage.request.suite.steps = {ring()};
  stage.bench = wrong_where([](const auto& hosts) { return with_host(hosts, "node5"); });
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").reason_id == "wrong-answer");
  const auto found = findings_of(report, "bad-member");
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "node5");
  CHECK(found[0].severity == model::Severity::kError);
  CHECK(found[0].text ==
        "member 5 of 8 (rank 5 on node5) of world (8 hosts): each part of the group with it "
        "failed, and did well without it (7 parts in 4 rounds)");
  CHECK(parts_of(report) == 7);
  CHECK(findings_of(report, "group-narrowed").empty());
  // What parts do is told once, and none of their numbers counts.
  CHECK(findings_of(report, "group-failed").size() == 1);
  REQUIRE(report.cells.size() == 1);
  CHECK(report.cells[0].measurements.empty());
  CHECK(report.cells[0].confirmations.empty());
}

TEST_CASE("two bad members are both named") {
  Stage stage(8);
  stage.request.suite.steps = {ring()};
  stage.bench = wrong_where(
      [](const auto& hosts) { return with_host(hosts, "node1") || with_host(hosts, "node6"); });
  const auto found = findings_of(stage.play(), "bad-member");
  REQUIRE(found.size() == 2);
  CHECK(found[0].subject == "node1");
  CHECK(found[1].subject == "node6");
}

TEST_CASE("a hang of all at the same place is narrowed as far as the time goes") {
  Stage stage(8);
  config::Step step = ring();
  stage.bench = hangs_where([](const auto& hosts) { return with_host(hosts, "node2"); });
  SECTION("to the member") {
    step.takes_seconds = 1;
    step.deadline_seconds = 100;
    stage.request.suite.steps = {step};
    const model::Report report = stage.play();
    const auto found = findings_of(report, "bad-member");
    REQUIRE(found.size() == 1);
    CHECK(found[0].subject == "node2");
    CHECK(verdict(report, "ring").outcome == model::Outcome::kUntested);
    CHECK(report.run.seconds < 3.5 * 100);
  }
  SECTION("to those of a half") {
    stage.request.suite.steps = {step};
    const model::Report report = stage.play();
    CHECK(findings_of(report, "bad-member").empty());
    const auto rest = findings_of(report, "group-narrowed");
    REQUIRE(rest.size() == 1);
    CHECK_THAT(rest[0].text, Catch::Contains("what fails is among members 0 to 3; it was not"));
    CHECK(rest[0].severity == model::Severity::kWarning);
  }
}

TEST_CASE("what fails only at times or only together is said to") {
  Stage stage(4);
  stage.request.suite.steps = {ring()};
  SECTION("at times") {
    stage.bench = [](const warden::Launch& launch) {
      return speak(launch, !fakes::head_of(launch).narrows);
    };
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-narrowed", "did well when it was run again"));
    CHECK(parts_of(report) == 1);
    CHECK(verdict(report, "ring").reason_id == "wrong-answer");
  }
  SECTION("together") {
    stage.bench = wrong_where([](const auto& hosts) { return hosts.size() > 2; });
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-narrowed", "members 0 to 3 fail together"));
    CHECK(findings_of(report, "bad-member").empty());
  }
}

TEST_CASE(
    "a group is not run in parts where its failure names a member, or where nobody wants it") {
  Stage stage(4);
  config::Step step = ring();
  stage.bench = wrong_where([](const auto& hosts) { return with_host(hosts, "node1"); });
  SECTION("named") {
    stage.bench = [](const warden::Launch& launch) {
      if (fakes::head_of(launch).member == 1) return Act(launch, 1).hello().killed(11);
      return speak(launch, false);
    };
  }
  SECTION("not wanted") { step.narrow = false; }
  stage.request.suite.steps = {step};
  const model::Report report = stage.play();
  CHECK(findings_of(report, "group-failed").size() >= 1);
  CHECK(parts_of(report) == 0);
}

TEST_CASE("a part that fails in another way than the whole ends the search and accuses nobody") {
  Stage stage(8);
  stage.request.suite.steps = {ring()};
  const auto bad = wrong_where([](const auto& hosts) { return with_host(hosts, "node5"); });
  stage.bench = [&](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    const bool small = head.members == 2;
    return small && head.member == 1 ? Act(launch, 1).hello().killed(11) : bad(launch);
  };
  const model::Report report = stage.play();
  CHECK(findings_of(report, "bad-member").empty());
  CHECK(has_finding(report, "group-narrowed", "what fails is among members 4 to 7"));
}

TEST_CASE("of several groups that failed each is run in parts, and no two attempts have one name") {
  Stage stage(8, 4);
  stage.request.suite.steps = {ring(config::Placement::kGroups)};
  stage.bench = [](const warden::Launch& launch) { return speak(launch, true); };
  const model::Report report = stage.play();
  CHECK(findings_of(report, "group-narrowed").size() == 2);
  std::set<std::string> nonces;
  for (const model::Attempt& one : report.attempts) CHECK(nonces.insert(one.nonce).second);
  CHECK(parts_of(report) == 6);
}

TEST_CASE("few members are not run in parts") {
  Stage stage(3);
  stage.request.suite.steps = {ring()};
  stage.bench = wrong_where([](const auto&) { return true; });
  CHECK(parts_of(stage.play()) == 0);
}

TEST_CASE("a rank that is lost meanwhile ends the search") {
  Stage stage(8);
  stage.request.suite.steps = {ring()};
  stage.bench = wrong_where([](const auto& hosts) { return with_host(hosts, "node5"); });
  stage.clock.at(13, [&] { stage.kill(7); });
  const model::Report report = stage.play();
  CHECK(findings_of(report, "bad-member").empty());
  CHECK(has_finding(report, "rank-lost"));
  CHECK(verdict(report, "ring").reason_id == "wrong-answer");
}

TEST_CASE("a part of one member gets one that did well beside it") {
  using Parts = std::vector<localise::Halving::Group>;
  CHECK(run::with_company(Parts{{0, 1}, {2}, {3}}, {7, 9}) == Parts{{0, 1}, {2, 7}, {3, 9}});
  CHECK_FALSE(run::with_company(Parts{{2}, {3}}, {7}));
  CHECK(run::with_company(Parts{{0, 1}}, {}) == Parts{{0, 1}});
}

TEST_CASE("members are told as ranges") {
  CHECK(run::members_text({4}) == "member 4");
  CHECK(run::members_text({4, 5}) == "members 4 and 5");
  CHECK(run::members_text({0, 1, 2, 3}) == "members 0 to 3");
  CHECK(run::members_text({0, 1, 2, 7, 9, 10, 11}) == "members 0 to 2, 7 and 9 to 11");
}

}  // namespace rackproof::run_test
