#include "harness/limits/demand.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

using namespace rackproof;
using namespace rackproof::judge_test;

namespace {

model::Demand no_sockets() {
  model::Demand demand;
  demand.metric = "*.busbw";
  demand.backend = "nccl";
  demand.nodes_min = 2;
  demand.refused = {{"network", std::string("Socket")}};
  demand.reason = "look at the adapters";
  demand.table = "cloud";
  return demand;
}

/// Hosts whose one cell is an all_reduce that reaches what any limit asks for.
model::Report hosts(int count, const model::Demand& demand) {
  model::Report report = Cluster{count, 8}.report("all_reduce.busbw");
  report.platforms[0].demands = {demand};
  return report;
}

model::Verdict shown(model::Report report, const contract::Parameters& conditions) {
  report.cells[0].measurements[0].conditions = conditions;
  return judged(report);
}

}  // namespace

TEST_CASE("what a table refuses fails at any number, by whichever baseline it is judged") {
  const model::Report report = hosts(2, no_sockets());
  const model::Verdict bad = shown(report, {{"network", std::string("Socket")}});
  CHECK(bad.outcome == model::Outcome::kFail);
  CHECK(bad.reason_id == "condition-differs");
  CHECK(bad.reason ==
        "it was measured with network Socket, which table cloud refuses: look at the adapters");
  CHECK(shown(report, {{"network", std::string("IB")}}).outcome != model::Outcome::kFail);
}

TEST_CASE("what a table demands must be shown") {
  model::Demand demand = no_sockets();
  demand.refused.clear();
  demand.conditions = {{"gdr", true}};
  const model::Report report = hosts(2, demand);
  CHECK(shown(report, {{"gdr", false}}).reason_id == "condition-differs");
  CHECK(shown(report, {{"gdr", false}}).outcome == model::Outcome::kFail);
  CHECK(shown(report, {{"gdr", true}}).reason_id != "condition-differs");
}

TEST_CASE("what nobody says of a demanded condition leaves the cell unjudged") {
  const model::Verdict verdict = shown(hosts(2, no_sockets()), {});
  CHECK(verdict.outcome == model::Outcome::kUnjudged);
  CHECK(verdict.reason_id == "condition-unknown");
  CHECK(verdict.reason ==
        "table cloud refuses network Socket, and the bench does not say which it was: look at the "
        "adapters");
}

TEST_CASE("what differs comes before what is not known") {
  model::Demand demand = no_sockets();
  demand.conditions = {{"gdr", true}};
  CHECK(shown(hosts(2, demand), {{"network", std::string("Socket")}}).outcome ==
        model::Outcome::kFail);
}

TEST_CASE("a demand is for the cells that it names") {
  const contract::Parameters sockets = {{"network", std::string("Socket")}};
  const auto differs = [&sockets](const model::Demand& demand, int count) {
    return shown(hosts(count, demand), sockets).reason_id == "condition-differs";
  };
  CHECK(differs(no_sockets(), 2));
  CHECK_FALSE(differs(no_sockets(), 1));
  model::Demand other = no_sockets();
  other.metric = "*.time";
  CHECK_FALSE(differs(other, 2));
  other = no_sockets();
  other.backend = "mpi";
  CHECK_FALSE(differs(other, 2));
  other = no_sockets();
  other.parameters = {{"ranks", std::int64_t{8}}};
  CHECK_FALSE(differs(other, 2));
  other = no_sockets();
  other.nodes_max = 1;
  other.nodes_min = 1;
  CHECK_FALSE(differs(other, 2));
}

TEST_CASE("a demand with rules holds where each host meets them") {
  model::Demand demand = no_sockets();
  model::FactRule rule;
  rule.fact = "infiniband.count";
  rule.min = 1;
  demand.where = {rule};
  model::Report report = hosts(2, demand);
  const contract::Parameters sockets = {{"network", std::string("Socket")}};
  CHECK(shown(report, sockets).reason_id != "condition-differs");
  report.nodes[0].facts["infiniband.count"] = {std::int64_t{8}, "test", ""};
  CHECK(shown(report, sockets).reason_id != "condition-differs");
  report.nodes[1].facts["infiniband.count"] = {std::int64_t{8}, "test", ""};
  CHECK(shown(report, sockets).reason_id == "condition-differs");
}

TEST_CASE("shown is what all measurements show alike") {
  model::Measurement tree;
  tree.conditions = {{"algorithm", std::string("TREE")}, {"channels", std::int64_t{16}}};
  model::Measurement ring;
  ring.conditions = {{"algorithm", std::string("RING")}, {"channels", std::int64_t{16}}};
  CHECK(limits::shown_by({}).empty());
  CHECK(limits::shown_by({&tree}) == tree.conditions);
  CHECK(limits::shown_by({&tree, &ring}) == contract::Parameters{{"channels", std::int64_t{16}}});
  ring.conditions.clear();
  CHECK(limits::shown_by({&tree, &ring}).empty());
}
