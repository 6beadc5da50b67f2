#include "harness/run/slow_groups.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "tests/unit/run/stage.hpp"

namespace rackproof::run_test {
using fakes::Act;
using fakes::Performance;

namespace {

/// The rate of a group of ranks on these hosts.
using Rate = std::function<double(const model::Attempt& head)>;

fakes::Script rated(Rate rate) {
  return [rate = std::move(rate)](const warden::Launch& launch) -> Performance {
    Act act(launch, 5);
    act.hello();
    const model::Attempt head = fakes::head_of(launch);
    if (head.member != 0) return act.check().end().done();
    act.token(1, "id", "00ff").check();
    protocol::Metric metric;
    metric.name = kMetric;
    metric.unit = "B/s";
    metric.value = rate(head);
    metric.samples = fakes::samples_around(metric.value, 0.001);
    metric.subject.kind = contract::SubjectKind::kGroup;
    metric.check = "answer";
    metric.parameters["ranks"] = std::int64_t{head.members};
    return act.metric(metric).end().done();
  };
}

/// A ring whose number has the parameter "ranks", another one in each part.
config::Step sized_ring(config::Placement placement = config::Placement::kWorld) {
  config::Step step = ring(placement);
  step.expect.front().each["ranks"] = {std::string("$ranks")};
  return step;
}

bool with_host(const model::Attempt& head, const std::string& host) {
  const auto& hosts = head.subject.members;
  return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
}

std::vector<model::Finding> slow_findings(const model::Report& report, const std::string& id) {
  std::vector<model::Finding> found;
  for (const model::Finding& one : report.findings) {
    if (one.id == id) found.push_back(one);
  }
  return found;
}

std::size_t parts_run(const model::Report& report) {
  return static_cast<std::size_t>(
      std::count_if(report.attempts.begin(), report.attempts.end(),
                    [](const auto& one) { return one.narrows && one.member == 0; }));
}

}  // namespace

TEST_CASE("the host with which each part of a slow group is slower is named") {
  Stage stage(8);
  stage.request.suite.steps = {sized_ring()};
  // Half as many members reach less, whoever they are.
  stage.bench = rated([](const model::Attempt& head) {
    return (head.members == 8 ? 100 : 60) * (with_host(head, "node5") ? 0.8 : 1);
  });
  const model::Report report = stage.play();
  CHECK(verdict(report, "ring").reason_id == "below-limit");
  const auto found = slow_findings(report, "slow-member");
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "node5");
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(found[0].text ==
        "member 5 of 8 (rank 5 on node5): parts of world (8 hosts) with it are 20 % slower than "
        "like parts without it (7 parts in 7 rounds)");
  CHECK(parts_run(report) == 7);
  CHECK(slow_findings(report, "group-narrowed").empty());
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK_THAT(report.acceptance_reason,
             Catch::StartsWith("node5: parts of world (8 hosts) with it are slower than those "
                               "without it (step ring); world (8 hosts): 1 too slow"));
  // None of their numbers counts.
  REQUIRE(report.cells.size() == 1);
  CHECK(report.cells[0].measurements.size() == 1);
  CHECK(report.cells[0].confirmations.empty());
}

TEST_CASE("a host of which no member is slower than the others is named as a host") {
  Stage stage(16, 4);
  stage.request.suite.steps = {sized_ring()};
  stage.bench = rated([](const model::Attempt& head) {
    return (head.members == 16 ? 100 : 130) * (with_host(head, "node2") ? 0.7 : 1);
  });
  const auto found = slow_findings(stage.play(), "slow-member");
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "node2");
  CHECK_THAT(found[0].text, Catch::StartsWith("node2: parts of world (4 hosts) with it are 30 %"));
}

TEST_CASE("a group that is slow as a whole, or only once, names nobody") {
  Stage stage(8);
  stage.request.suite.steps = {sized_ring()};
  SECTION("as a whole") {
    stage.bench = rated([](const model::Attempt& head) { return head.members == 8 ? 70 : 100; });
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-narrowed", "neither half is slower than the other"));
    CHECK(parts_run(report) == 3);
    CHECK(slow_findings(report, "slow-member").empty());
  }
  SECTION("once") {
    stage.bench = rated([](const model::Attempt& head) { return head.narrows ? 100 : 70; });
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-narrowed", "was not when it was run again"));
    CHECK(parts_run(report) == 1);
  }
  SECTION("two of different halves") {
    stage.bench = rated([](const model::Attempt& head) {
      return with_host(head, "node1") || with_host(head, "node6") ? 70 : 100;
    });
    const model::Report report = stage.play();
    CHECK(has_finding(report, "group-narrowed", "no one part makes it so"));
    CHECK(slow_findings(report, "slow-member").empty());
  }
}

TEST_CASE("a search that a failure or the time ends says how far it came") {
  Stage stage(8);
  config::Step step = sized_ring();
  const auto slow = [](const model::Attempt& head) { return with_host(head, "node5") ? 70 : 100; };
  SECTION("a failure of the first half") {
    const auto speak = rated(slow);
    stage.bench = [speak](const warden::Launch& launch) {
      const model::Attempt head = fakes::head_of(launch);
      const bool half = head.members == 4 && head.member == 1;
      return half ? Act(launch, 1).hello().killed(11) : speak(launch);
    };
    stage.request.suite.steps = {step};
    const model::Report report = stage.play();
    CHECK(slow_findings(report, "slow-member").empty());
    CHECK(slow_findings(report, "group-narrowed").empty());
    CHECK(parts_run(report) == 2);
  }
  SECTION("the time") {
    stage.bench = rated(slow);
    step.deadline_seconds = 12;
    stage.request.suite.steps = {step};
    const model::Report report = stage.play();
    CHECK(slow_findings(report, "slow-member").empty());
    CHECK(has_finding(report, "group-narrowed", "what makes it slow is among members 4"));
  }
}

TEST_CASE("a group in which somebody was found is not searched again") {
  Stage stage(8);
  config::Step again = sized_ring();
  again.id = "again";
  stage.request.suite.steps = {sized_ring(), again};
  stage.bench =
      rated([](const model::Attempt& head) { return with_host(head, "node5") ? 70 : 100; });
  const model::Report report = stage.play();
  CHECK(verdict(report, "again").reason_id == "below-limit");
  CHECK(slow_findings(report, "slow-member").size() == 1);
  CHECK(parts_run(report) == 7);
}

TEST_CASE("half of the run's time is left for the steps after it") {
  Stage stage(8);
  stage.request.suite.steps = {sized_ring()};
  stage.request.time_budget_seconds = 40;
  stage.bench =
      rated([](const model::Attempt& head) { return with_host(head, "node5") ? 70 : 100; });
  const model::Report report = stage.play();
  CHECK(slow_findings(report, "slow-member").empty());
  CHECK(has_finding(report, "group-narrowed", "what makes it slow is among members 4"));
  CHECK(report.run.seconds < 40);
}

TEST_CASE("where nobody wants it, or many groups are slow, none is run in parts") {
  Stage stage(16, 4);
  stage.bench = rated([](const model::Attempt&) { return 70; });
  config::Step step = sized_ring(config::Placement::kGroups);
  SECTION("many") {}
  SECTION("not wanted") {
    step = sized_ring();
    step.narrow = false;
  }
  SECTION("nothing is slow") {
    stage.bench = rated([](const model::Attempt&) { return 95; });
    step = sized_ring();
  }
  stage.request.suite.steps = {step};
  CHECK(parts_run(stage.play()) == 0);
}

}  // namespace rackproof::run_test
