#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "harness/resume/resume.hpp"
#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using model::Outcome;

namespace {

constexpr int kHosts = 8;
constexpr double kBenchSeconds = 10;

/// What a host measures at its n-th attempt, from 1.
using Rate = std::function<double(const std::string& host, int number)>;

/// A run of one step whose suite fails outliers, of hosts whose rates are far within the limit.
void with(Stage& stage, config::Step step, Rate rate) {
  stage.request.suite.info.policy.peer_outlier_fails = true;
  stage.request.suite.info.policy.peer_confirmations = 3;
  stage.request.suite.steps = {std::move(step)};
  stage.request.tables[0].baselines[0].expected = 50;
  stage.bench = [rate = std::move(rate)](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    fakes::Performance performance =
        fakes::good(launch, kMetric, fakes::samples_around(rate(head.host, head.number)));
    performance.seconds = kBenchSeconds;
    return performance;
  };
}

double slow_third(const std::string& host, int /*number*/) { return host == "node3" ? 90 : 100; }

/// How many attempts at each host confirm.
std::map<std::string, int> confirming(const model::Report& report) {
  std::map<std::string, int> count;
  for (const model::Attempt& attempt : report.attempts) {
    if (attempt.confirms) ++count[attempt.host];
  }
  return count;
}

}  // namespace

TEST_CASE("a suspect and three of the better half are measured again, and the part fails") {
  Stage stage(kHosts);
  with(stage, step("a"), slow_third);
  const model::Report report = stage.play();
  const auto count = confirming(report);
  CHECK(count.size() == 4);
  CHECK(count.at("node3") == 3);
  CHECK(report.attempts.size() == kHosts + 12);
  CHECK(report.cells[3].measurements.size() == 1);
  CHECK(report.cells[3].confirmations.size() == 3);
  CHECK(report.cells[3].verdict.reason_id == "peer-outlier");
  CHECK(report.counts.fail == 1);
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(stage.seen.find("a: some results are worse than those of their peers; measuring 4 of 8 3 "
                        "more times to confirm it") != std::string::npos);
}

TEST_CASE("one bad moment fails nobody") {
  Stage stage(kHosts);
  with(stage, step("a"), [](const std::string& host, int number) {
    return host == "node3" && number == 1 ? 80.0 : 100.0;
  });
  const model::Report report = stage.play();
  CHECK(confirming(report).at("node3") == 3);
  CHECK(report.counts.fail == 0);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("nothing is measured again where nobody is suspected, or outliers do not fail") {
  Stage stage(kHosts);
  with(stage, step("a"), slow_third);
  SECTION("nobody") {
    with(stage, step("a"), [](const std::string&, int) { return 100.0; });
  }
  SECTION("a finding") { stage.request.suite.info.policy.peer_outlier_fails = false; }
  CHECK(stage.play().attempts.size() == kHosts);
}

TEST_CASE("hosts do not wait for each other, and all take part where the step says together") {
  const bool together = GENERATE(false, true);
  Stage stage(kHosts);
  config::Step one = step("a");
  if (together) one.confirm = config::Confirm::kTogether;
  with(stage, one, slow_third);
  const model::Report report = stage.play();
  std::map<int, std::set<std::string>> at;
  for (const model::Attempt& attempt : report.attempts) {
    if (attempt.confirms) at[attempt.number].insert(attempt.host);
  }
  REQUIRE(at.size() == 3);
  for (const auto& [number, hosts] : at) CHECK(hosts.size() == (together ? kHosts : 4));
  CHECK(report.run.seconds < 4 * kBenchSeconds + 10);
}

TEST_CASE("an interrupt leaves a suspect unconfirmed, and nothing is accepted") {
  Stage stage(kHosts);
  with(stage, step("a"), slow_third);
  // In the second of three.
  stage.clock.at(2.5 * kBenchSeconds, [&] { stage.interrupts = 1; });
  const model::Report report = stage.play();
  CHECK(report.run.interrupted);
  CHECK(state(report, "a") == "stopped: interrupted");
  CHECK(has_finding(report, "peer-unconfirmed", "node3"));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  // Gone on with, all of it is measured anew: suspects and controls must be of one time.
  resume::Request next;
  resume::continue_from(report, next);
  CHECK(next.done_subjects.empty());
}

TEST_CASE("confirming ends with its share of time") {
  Stage stage(kHosts);
  config::Step slow = step("a");
  slow.deadline_seconds = 12;
  slow.grace_seconds = 1;
  with(stage, slow, slow_third);
  stage.request.suite.info.policy.peer_confirmations = 2;
  const model::Report report = stage.play();
  CHECK(report.run.seconds < 3 * 13 + 30);
  CHECK(report.cells[3].verdict.reason_id == "peer-outlier");
}

TEST_CASE("an attempt that confirms and crashes is no pass") {
  Stage stage(kHosts);
  with(stage, step("a"), slow_third);
  const fakes::Script good = stage.bench;
  stage.bench = [good](const warden::Launch& launch) {
    fakes::Performance performance = good(launch);
    const model::Attempt head = fakes::head_of(launch);
    if (head.host == "node3" && head.number == 3) performance.facts.signal = 11;
    return performance;
  };
  const model::Report report = stage.play();
  CHECK(report.cells[3].verdict.outcome == Outcome::kUntested);
  CHECK(report.acceptance != model::Acceptance::kAccepted);
}

TEST_CASE("a slow link of what runs inside the ranks is measured again with all of them") {
  Stage stage(4);
  config::Step links = step("links", config::Placement::kWorld);
  links.expect[0].for_each = "link";
  with(stage, links, slow_third);
  stage.bench = [](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    fakes::Act act(launch, 1);
    act.hello().check();
    if (head.rank != 0) return act.end().done();
    for (int near = 0; near < 4; ++near) {
      for (int far = near + 1; far < 4; ++far) {
        const double rate = near == 1 && far == 2 ? 90 : 100;
        protocol::Metric metric;
        metric.name = kMetric;
        metric.unit = "B/s";
        metric.value = rate;
        metric.samples = fakes::samples_around(rate);
        metric.subject = {contract::SubjectKind::kLink, std::to_string(near), std::to_string(far)};
        metric.check = "answer";
        act.metric(metric);
      }
    }
    return act.end().done();
  };
  const model::Report report = stage.play();
  REQUIRE(report.cells.size() == 6);
  CHECK(report.attempts.size() == 16);
  CHECK(report.counts.fail == 1);
  for (const model::Cell& cell : report.cells) {
    CHECK(cell.confirmations.size() == 3);
    if (cell.verdict.outcome != Outcome::kFail) continue;
    CHECK(model::label(cell.subject) == "node1/rank 1 - node2/rank 2");
    CHECK(cell.verdict.reason_id == "peer-outlier");
  }
}
