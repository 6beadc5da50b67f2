#include "harness/coverage/expected_limits.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

config::MetricCatalogue busbw() {
  config::MetricKind kind;
  kind.names = {"all_reduce.busbw"};
  kind.backends = {"nccl"};
  kind.unit = "B/s";
  kind.parameters["bytes"].type = config::ParameterKind::Type::kInteger;
  return {kind};
}

model::Cell cell_of(std::int64_t bytes) {
  model::Cell cell;
  cell.metric = "all_reduce.busbw";
  cell.parameters["bytes"] = bytes;
  return cell;
}

model::Baseline figure(const std::string& id, double expected, const std::string& algorithm) {
  model::Baseline out;
  out.id = id;
  out.metric = "all_reduce.busbw";
  out.expected = expected;
  out.unit = "B/s";
  out.tolerance_below = 0.1;
  out.table = "board";
  out.when["algorithm"] = algorithm;
  return out;
}

}  // namespace

TEST_CASE("a cell is of the kind that its backend measures with its parameters") {
  const auto catalogue = busbw();
  CHECK(coverage::kind_of(catalogue, cell_of(8), "nccl") == &catalogue.front());
  CHECK(coverage::kind_of(catalogue, cell_of(8), "mpi") == nullptr);
  model::Cell other = cell_of(8);
  other.parameters["redop"] = std::string("sum");
  CHECK(coverage::kind_of(catalogue, other, "nccl") == nullptr);
}

TEST_CASE("before a run a cell is held to what the judge would choose for a ring") {
  model::Report report;
  const evidence::Context context(report);
  model::PlatformTable table;
  table.id = "board";
  table.baselines = {figure("tree", 400e9, coverage::kTree),
                     figure("ring", 300e9, coverage::kRing)};
  const auto catalogue = busbw();
  const auto ring = coverage::limits_before(context, cell_of(8), table, catalogue.front());
  REQUIRE(ring.problem == nullptr);
  CHECK(ring.limits.baseline->id == "ring");
  CHECK(ring.limits.low == Approx(270e9));
  const auto tree =
      coverage::limits_before(context, cell_of(8), table, catalogue.front(), coverage::kTree);
  CHECK(tree.limits.baseline->id == "tree");
}
