#include "harness/coverage/coverage.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using coverage::Coverage;
using coverage::coverage_of;

namespace {

config::MetricCatalogue catalogue() {
  config::MetricKind rate;
  rate.names = {"gemm.rate"};
  rate.backends = {"cuda"};
  rate.unit = "FLOP/s";
  rate.parameters["dtype"] = {};
  config::MetricKind time = rate;
  time.names = {"gemm.time"};
  time.unit = "s";
  time.better = contract::Better::kLess;
  return {rate, time};
}

config::Suite suite() {
  config::Suite suite;
  suite.info.id = "one";
  config::Step& step = suite.steps.emplace_back();
  step.id = "gemm";
  step.bench = "gemm";
  step.backend = "cuda";
  step.placement = config::Placement::kDevice;
  step.deadline_seconds = 1;
  for (const char* metric : {"gemm.rate", "gemm.time"}) {
    config::Expectation& owed = step.expect.emplace_back();
    owed.metric = metric;
    owed.each["dtype"] = {std::string("bf16"), std::string("fp8_e4m3")};
  }
  model::Claim& claim = suite.info.claims.emplace_back();
  claim.id = "gemm";
  claim.title = "GEMM";
  claim.steps = {"gemm"};
  claim.metrics = {"gemm.rate"};
  claim.each = "dtype";
  return suite;
}

model::FactRule is(const std::string& fact, const contract::Scalar& value) {
  model::FactRule rule;
  rule.fact = fact;
  rule.equals = value;
  return rule;
}

model::PlatformTable board(const std::string& capability) {
  model::PlatformTable table;
  table.id = "board";
  table.chain = {"board"};
  table.recognise = {is("gpu.compute_capability", capability)};
  table.expect = {{is("gpu.nvml_count", std::int64_t{2}), model::Severity::kError, ""}};
  model::Baseline& figure = table.baselines.emplace_back();
  figure.id = "bf16";
  figure.metric = "gemm.rate";
  figure.parameters = {{"dtype", std::string("bf16")}};
  figure.expected = 1e14;
  figure.unit = "FLOP/s";
  figure.tolerance_below = 0.1;
  figure.table = "board";
  model::Baseline& answer = table.baselines.emplace_back();
  answer.id = "right";
  answer.metric = "*";
  answer.kind = model::BaselineKind::kCorrectness;
  answer.table = "board";
  return table;
}

}  // namespace

TEST_CASE("a claim is held where a limit judges a cell of each value, on each device") {
  const Coverage all = coverage_of(board("9.0"), suite(), 2, catalogue());
  REQUIRE(all.claims.size() == 1);
  CHECK(all.claims[0].places == 8);
  CHECK(all.claims[0].held == 4);
  CHECK(all.claims[0].missing == std::vector<std::string>{"dtype=fp8_e4m3"});
  CHECK(all.held() == 0);
  CHECK(all.deficits.empty());
  CHECK(all.gpu.all == 2);
  CHECK(all.gpu.limited == 1);
  CHECK(all.unlimited == std::vector<std::string>{"gemm gemm.rate dtype=fp8_e4m3"});
  CHECK(all.host.all == 0);
  config::Suite host = suite();
  host.steps[0].backend = "host";
  CHECK(coverage_of(board("9.0"), host, 2, catalogue()).gpu.all == 0);
}

TEST_CASE("what a GPU has no unit for is not owed") {
  const Coverage all = coverage_of(board("8.0"), suite(), 1, catalogue());
  CHECK(all.held() == 1);
  CHECK(all.deficits == std::map<std::string, double>{{"gemm", 0.1}});
  CHECK(all.gpu.all == 1);
  CHECK(all.gpu.limited == 1);
}

TEST_CASE("the tightest limit of a place counts, and the worst place") {
  model::PlatformTable table = board("9.0");
  model::Baseline& other = table.baselines.emplace_back(table.baselines[0]);
  other.id = "fp8";
  other.parameters = {{"dtype", std::string("fp8_e4m3")}};
  other.tolerance_below = 0.25;
  std::rotate(table.baselines.begin(), table.baselines.end() - 1, table.baselines.end());
  config::Suite both = suite();
  CHECK(coverage_of(table, both, 1, catalogue()).deficits.at("gemm") == 0.25);
  both.info.claims[0].each.clear();
  CHECK(coverage_of(table, both, 1, catalogue()).deficits.at("gemm") == 0.1);
}

TEST_CASE("a limit of a generic table holds nothing") {
  model::PlatformTable table = board("8.0");
  table.baselines[0].generic = true;
  CHECK(coverage_of(table, suite(), 1, catalogue()).gpu.limited == 0);
  CHECK(coverage_of(table, suite(), 1, catalogue()).held() == 0);
}

TEST_CASE("a figure that no suite measures is told from one that some suite does") {
  model::PlatformTable table = board("9.0");
  model::Baseline other = table.baselines[0];
  other.id = "int8";
  other.parameters = {{"dtype", std::string("int8")}};
  table.baselines.insert(table.baselines.begin(), other);
  const std::set<coverage::Figure> all = {{"board", "bf16"}, {"board", "int8"}};
  CHECK(coverage::figures(table) == all);
  CHECK(coverage::measured(table, {suite()}, catalogue()) ==
        std::set<coverage::Figure>{{"board", "bf16"}});
}
