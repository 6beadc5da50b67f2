#include "harness/judge/limits.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Better;
using namespace rackproof::judge_test;

namespace {

judge::Choice choose(const model::Report& report) {
  const judge::Context context(report);
  const model::Cell& one = report.cells.at(0);
  return judge::choose_limits(context, one, report.platforms.at(0), one.measurements.at(0));
}

std::string chosen(const model::Report& report) {
  const judge::Choice choice = choose(report);
  return choice.problem != nullptr ? choice.problem : choice.limits.baseline->id;
}

model::Baseline named(const std::string& id) {
  model::Baseline result = baseline();
  result.id = id;
  return result;
}

}  // namespace

TEST_CASE("limits where more is better") {
  model::Report report = one_cell();
  judge::Limits limits = choose(report).limits;
  CHECK(limits.low == 90.0);
  CHECK_FALSE(limits.high);
  report.platforms[0].baselines[0].tolerance_above = 0.25;
  limits = choose(report).limits;
  CHECK(limits.low == 90.0);
  CHECK(limits.high == 125.0);
}

TEST_CASE("limits where less is better") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].better = Better::kLess;
  report.platforms[0].baselines[0].tolerance_below.reset();
  report.platforms[0].baselines[0].tolerance_above = 0.25;
  judge::Limits limits = choose(report).limits;
  CHECK_FALSE(limits.low);
  CHECK(limits.high == 125.0);
  report.platforms[0].baselines[0].tolerance_below = 0.5;
  CHECK(choose(report).limits.low == 50.0);
}

TEST_CASE("a baseline that cannot hold a number to account is not used") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  model::Report report = one_cell();
  model::Baseline& one = report.platforms[0].baselines[0];
  for (const double bad : {0.0, -1.0, nan, inf}) {
    one = baseline();
    one.expected = bad;
    CHECK(chosen(report) == "bad-baseline");
  }
  for (const double bad : {1.0, 1.5, -0.1, nan, inf}) {
    one = baseline();
    one.tolerance_below = bad;
    CHECK(chosen(report) == "bad-baseline");
  }
  one = baseline();
  one.tolerance_below.reset();
  CHECK(chosen(report) == "bad-baseline");
  one.tolerance_above = 0.1;
  CHECK(chosen(report) == "bad-baseline");
  one = baseline();
  one.tolerance_below = 0;
  CHECK(choose(report).limits.low == 100.0);
  report.cells[0].measurements[0].better = Better::kLess;
  CHECK(chosen(report) == "bad-baseline");
  one.tolerance_above = 1e308;
  CHECK(chosen(report) == "bad-baseline");
}

TEST_CASE("the first baseline in table order that fits is used") {
  model::Report report = one_cell();
  auto& table = report.platforms[0].baselines;
  table = {named("first"), named("second")};
  CHECK(chosen(report) == "first");
  table[0].metric = "stream.copy";
  CHECK(chosen(report) == "second");
  table[0].metric = "stream.*";
  CHECK(chosen(report) == "first");
  table = {};
  CHECK(chosen(report) == "no-baseline");
}

TEST_CASE("parameters of the baseline must be those of the cell") {
  model::Report report = one_cell();
  report.cells[0].parameters = {{"bytes", std::int64_t{8}}};
  auto& table = report.platforms[0].baselines;
  table = {named("first"), named("second")};
  table[0].parameters = {{"bytes", std::int64_t{16}}};
  CHECK(chosen(report) == "second");
  table[0].parameters = {{"bytes", 8.0}};
  CHECK(chosen(report) == "first");
  table[0].parameters = {{"dtype", std::string("*")}};
  CHECK(chosen(report) == "second");
}

TEST_CASE("the node range counts the distinct hosts of the subject") {
  model::Report report = one_cell();
  auto& table = report.platforms[0].baselines;
  table = {named("range")};
  const auto fits = [&](std::optional<int> least, std::optional<int> most) {
    table[0].nodes_min.reset();
    table[0].nodes_max.reset();
    if (least) table[0].nodes_min = *least;
    if (most) table[0].nodes_max = *most;
    return chosen(report) == "range";
  };
  CHECK(fits(1, 1));
  CHECK_FALSE(fits(2, {}));
  CHECK_FALSE(fits({}, 0));
  report.cells[0].subject = link_of("node1", "node1");
  CHECK(fits({}, 1));
  report.cells[0].subject = link_of("node1", "node2");
  CHECK(fits(2, 2));
  CHECK_FALSE(fits({}, 1));
  report.cells[0].subject = group("world", {"node1", "node1", "node2", "node3"});
  CHECK(fits(3, 3));
  CHECK_FALSE(fits(4, {}));
}

TEST_CASE("a baseline in another unit is never compared, and hides those behind it") {
  model::Report report = one_cell();
  auto& table = report.platforms[0].baselines;
  table = {named("wrong"), named("right")};
  table[0].unit = "FLOP/s";
  CHECK(chosen(report) == "unit-mismatch");
  CHECK(choose(report).sentence.find("FLOP/s") != std::string::npos);
  table[0].unit = "";
  CHECK(chosen(report) == "unit-mismatch");
}

TEST_CASE("a fraction is taken of a fact of the table or the inventory") {
  model::Report report = one_cell();
  model::Baseline& one = report.platforms[0].baselines[0];
  one.kind = model::BaselineKind::kFraction;
  one.expected = 0.5;
  one.unit = "ratio";
  one.of = "memory.peak";
  CHECK(chosen(report) == "no-fact");
  CHECK(choose(report).sentence.find("memory.peak") != std::string::npos);
  report.nodes[0].facts["memory.peak"].value = std::int64_t{300};
  CHECK(choose(report).limits.expected == 150);
  CHECK(choose(report).limits.low == 135.0);
  report.platforms[0].facts["memory.peak"] = 200.0;
  CHECK(choose(report).limits.expected == 100);
  CHECK(choose(report).limits.origin.find("memory.peak") != std::string::npos);
  one.unit = "B/s";
  CHECK(chosen(report) == "unit-mismatch");
}

TEST_CASE("a fraction without its fact leaves the place to the next baseline") {
  model::Report report = one_cell();
  auto& table = report.platforms[0].baselines;
  table = {named("fraction"), named("correctness")};
  table[0].kind = model::BaselineKind::kFraction;
  table[0].unit = "ratio";
  table[0].of = "memory.peak";
  table[1].kind = model::BaselineKind::kCorrectness;
  table[1].unit = "";
  CHECK(chosen(report) == "correctness");
  table[1].metric = "gemm.*";
  CHECK(chosen(report) == "no-fact");
}
