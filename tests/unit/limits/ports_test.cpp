#include "harness/limits/ports.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

using namespace rackproof;
using namespace rackproof::judge_test;

namespace {

/// Terabytes that each port of a host sent.
using Sent = std::vector<double>;

void record(model::Attempt& attempt, const Sent& sent) {
  for (std::size_t port = 0; port < sent.size(); ++port) {
    model::SeriesSummary& series = attempt.recorded.emplace_back();
    series.name = "infiniband.sent";
    series.subject = "mlx5_" + std::to_string(port) + ":1";
    series.unit = "B";
    series.delta = sent[port] * 1e12;
  }
}

/// Two hosts of four ports, whose table demands four; what each sent in the one attempt on it.
model::Report two_hosts(const Sent& first, const Sent& second) {
  Cluster cluster{2, 4};
  cluster.ports = {400e9, 400e9, 400e9, 400e9};
  model::Report report = cluster.report("all_reduce.busbw");
  model::Demand demand;
  demand.metric = "all_reduce.busbw";
  demand.nodes_min = 2;
  demand.ports_min = 4;
  demand.reason = "a rail is gone";
  demand.table = "cloud";
  report.platforms[0].demands = {demand};
  report.platforms[0].baselines = {baseline()};
  report.platforms[0].baselines[0].metric = demand.metric;
  report.attempts.push_back(report.attempts[0]);
  for (int i = 0; i < 2; ++i) {
    model::Attempt& attempt = report.attempts[static_cast<std::size_t>(i)];
    attempt.member = i;
    attempt.members = 2;
    attempt.host = "node" + std::to_string(i + 1);
  }
  report.attempts[1].nonce = "other";
  record(report.attempts[0], first);
  record(report.attempts[1], second);
  return report;
}

}  // namespace

TEST_CASE("a fabric all of whose rails carry data meets a demand for ports") {
  const model::Verdict verdict = judged(two_hosts({1, 1, 1, 1}, {1, 1, 0.9, 1.1}));
  CHECK(model::is_right(verdict.outcome));
}

TEST_CASE("a rail that carries nothing fails at any number, and is named") {
  model::Report report = two_hosts({1, 1, 1, 1}, {2, 1, 1, 0});
  report.attempts[1].recorded.pop_back();
  report.nodes[1].facts["infiniband.mlx5_3.port1.state"].value = std::string("DOWN");
  const model::Verdict verdict = judged(report);
  CHECK(verdict.outcome == model::Outcome::kFail);
  CHECK(verdict.reason_id == "condition-differs");
  CHECK(
      verdict.reason ==
      "node2 sent its data through 3 RDMA ports; not through mlx5_3:1 (DOWN); table cloud demands "
      "4: a rail is gone");
}

TEST_CASE("a port with what a file system sends is no rail") {
  const model::Verdict verdict = judged(two_hosts({1, 1, 1, 0.01}, {1, 1, 1, 0.01}));
  CHECK(verdict.outcome == model::Outcome::kFail);
  CHECK(
      verdict.reason.starts_with("node1 (as 1 more) sent its data through 3 RDMA ports; not "
                                 "through mlx5_3:1;"));
}

TEST_CASE("a host without counters leaves the cell unjudged, and another's fault goes first") {
  const model::Verdict dark = judged(two_hosts({1, 1, 1, 1}, {}));
  CHECK(dark.outcome == model::Outcome::kUnjudged);
  CHECK(dark.reason_id == "condition-unknown");
  CHECK(dark.reason.find("node2") != std::string::npos);
  CHECK(judged(two_hosts({1, 1}, {})).outcome == model::Outcome::kFail);
}

TEST_CASE("the ports of another try say nothing of this one") {
  model::Report report = two_hosts({1, 1, 1, 1}, {1, 1, 1});
  for (int member = 0; member < 2; ++member) {
    model::Attempt other = report.attempts[static_cast<std::size_t>(member)];
    other.nonce += "-again";
    other.number = 2;
    other.recorded.clear();
    record(other, {1, 1, 1, 1});
    report.attempts.push_back(other);
  }
  report.steps[0].attempts_allowed = 2;
  CHECK(judged(report).outcome == model::Outcome::kFail);
}

TEST_CASE("what fails by its number keeps that reason") {
  model::Report report = two_hosts({1}, {1});
  report.platforms[0].baselines[0].expected = 1e10;
  CHECK(judged(report).reason_id == "below-limit");
}

TEST_CASE("a demand for ports is for the cells that it names") {
  model::Report report = two_hosts({1}, {1});
  report.platforms[0].demands[0].nodes_min = 3;
  CHECK(judged(report).reason_id != "condition-differs");
  report.platforms[0].demands[0].nodes_min = 2;
  report.platforms[0].demands[0].parameters = {{"bytes", std::int64_t{8}}};
  CHECK(judged(report).reason_id != "condition-differs");
}
