#include "harness/limits/limits.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

namespace contract = rackproof::contract;
namespace evidence = rackproof::evidence;
namespace limits = rackproof::limits;
namespace model = rackproof::model;
using contract::Better;
using namespace rackproof::judge_test;

namespace {

limits::Choice choose(const model::Report& report) {
  const evidence::Context context(report);
  const model::Cell& one = report.cells.at(0);
  return limits::choose_limits(context, one, report.platforms.at(0), one.measurements.at(0),
                               one.measurements.at(0).conditions);
}

std::string chosen(const model::Report& report) {
  const limits::Choice choice = choose(report);
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
  limits::Limits limits = choose(report).limits;
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
  limits::Limits limits = choose(report).limits;
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

TEST_CASE("a baseline with conditions is for measurements that show them") {
  model::Report report = one_cell();
  auto& table = report.platforms[0].baselines;
  table = {named("tree"), named("any")};
  table[0].when = {{"algorithm", std::string("*TREE*")}};
  CHECK(chosen(report) == "any");
  contract::Parameters& shown = report.cells[0].measurements[0].conditions;
  shown = {{"algorithm", std::string("RING")}};
  CHECK(chosen(report) == "any");
  shown = {{"algorithm", std::string("NVLS_TREE")}};
  CHECK(chosen(report) == "tree");
  CHECK(judged(report).baseline == "tree");
  // Of two attempts that went different ways nobody knows which the number is of.
  report.cells[0].measurements.push_back(report.cells[0].measurements[0]);
  report.cells[0].measurements[1].conditions = {{"algorithm", std::string("RING")}};
  CHECK(judged(report).baseline == "any");
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

TEST_CASE("a fraction of a fact of another unit is not compared") {
  model::Report report = one_cell();
  model::Baseline& one = report.platforms[0].baselines[0];
  one.kind = model::BaselineKind::kFraction;
  one.expected = 0.5;
  one.unit = "ratio";
  one.of = "memory.total_bytes";
  report.nodes[0].facts["memory.total_bytes"].value = std::int64_t{100};
  CHECK(chosen(report) == "unit-mismatch");
  CHECK(choose(report).sentence.find("memory.total_bytes, which is in \"B\"") != std::string::npos);
  one.of = "memory.peak_bytes_per_second";
  report.nodes[0].facts["memory.peak_bytes_per_second"].value = std::int64_t{100};
  CHECK(choose(report).limits.expected == 50);
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

namespace {

constexpr std::int64_t kMebi = 1 << 20;

// One collective of 8 ranks on one host, and a curve with 480 GB/s from 1 MiB to 1 GiB.
model::Report on_curve(std::int64_t bytes, std::int64_t ranks = 8) {
  model::Report report = one_cell();
  model::Cell& cell = report.cells[0];
  cell.metric = cell.measurements[0].metric = "all_reduce.busbw";
  cell.parameters = {{"bytes", bytes}, {"ranks", ranks}};
  cell.measurements[0].parameters = cell.parameters;
  model::Baseline curve = baseline();
  curve.id = "curve";
  curve.metric = cell.metric;
  curve.kind = model::BaselineKind::kCurve;
  for (const std::int64_t size : {kMebi, 32 * kMebi, 1024 * kMebi}) {
    const double seconds = 20e-6 + static_cast<double>(size) / 480e9;
    curve.points.push_back({size, 8, 1, static_cast<double>(size) / seconds});
  }
  report.platforms[0].baselines = {curve};
  return report;
}

}  // namespace

TEST_CASE("a curve gives the limit of a size between its figures") {
  const double bytes = 8.0 * kMebi;
  const limits::Limits limits = choose(on_curve(8 * kMebi)).limits;
  REQUIRE(limits.baseline != nullptr);
  CHECK_FALSE(limits.by_correctness);
  CHECK(limits.expected == Approx(bytes / (20e-6 + bytes / 480e9)));
  CHECK(limits.low == Approx(limits.expected * 0.9));
}

TEST_CASE("outside its figures a curve judges nothing") {
  CHECK(chosen(on_curve(2048 * kMebi)) == "outside-curve");
  CHECK(chosen(on_curve(64)) == "outside-curve");
  CHECK(chosen(on_curve(8 * kMebi, 16)) == "outside-curve");
  model::Report report = on_curve(8 * kMebi);
  report.cells[0].subject = group("world", {"node1", "node2"});
  CHECK(chosen(report) == "outside-curve");
  report = on_curve(8 * kMebi);
  report.cells[0].parameters.erase("ranks");
  CHECK(chosen(report) == "outside-curve");
}

TEST_CASE("outside a curve a later number applies and correctness alone does not") {
  model::Report report = on_curve(2048 * kMebi);
  model::Baseline correct = named("correct");
  correct.metric = "*";
  correct.kind = model::BaselineKind::kCorrectness;
  report.platforms[0].baselines.push_back(correct);
  CHECK(chosen(report) == "outside-curve");
  model::Baseline number = named("number");
  number.metric = "all_reduce.*";
  report.platforms[0].baselines.push_back(number);
  CHECK(chosen(report) == "number");
}

TEST_CASE("a curve may leave smaller sizes to correctness and never larger ones") {
  const auto lenient = [](std::int64_t bytes, std::int64_t ranks) {
    model::Report report = on_curve(bytes, ranks);
    report.platforms[0].baselines[0].smaller_by_correctness = true;
    return report;
  };
  const limits::Choice choice = choose(lenient(64, 8));
  REQUIRE(choice.problem == nullptr);
  CHECK(choice.limits.by_correctness);
  CHECK_FALSE(choice.limits.why_correctness.empty());
  const model::Verdict verdict = judged(lenient(64, 8));
  CHECK(verdict.reason_id == "verified-generic");
  CHECK(verdict.reason.find("lie outside its figures") != std::string::npos);
  CHECK(chosen(lenient(2048 * kMebi, 8)) == "outside-curve");
  CHECK(chosen(lenient(64, 16)) == "outside-curve");
}

TEST_CASE("a baseline may be for one backend") {
  model::Report report = one_cell();
  report.platforms[0].baselines[0].backend = "cuda";
  CHECK(chosen(report) == "no-baseline");
  REQUIRE(report.steps.size() == 1);
  report.steps[0].backend = "cuda";
  CHECK(chosen(report) == report.platforms[0].baselines[0].id);
  report.platforms[0].baselines[0].backend = "cu*";
  CHECK(chosen(report) == report.platforms[0].baselines[0].id);
  report.steps.clear();
  CHECK(chosen(report) == "no-baseline");
}

TEST_CASE("a bound holds where the figures of a curve end, and what it is made of is said") {
  model::Report report = Cluster{4, 8}.report("all_gather.busbw", std::int64_t{16} << 30, 300e9);
  model::Baseline bound = named("bound");
  bound.metric = "all_gather.busbw";
  bound.kind = model::BaselineKind::kBound;
  bound.expected = 0.75;
  bound.unit = "ratio";
  bound.of = "collective";
  model::Baseline correct = named("correct");
  correct.metric = "*";
  correct.kind = model::BaselineKind::kCorrectness;
  auto& table = report.platforms[0].baselines;
  table = {bound, correct};
  CHECK(choose(report).limits.low == Approx(0.9 * 0.75 * 400e9));
  CHECK(choose(report).limits.origin == "0.75 of 400 GB/s: 8 x 50 GB/s out of a domain");

  SECTION("after a curve that ends below") {
    model::Baseline curve = named("curve");
    curve.metric = "all_gather.busbw";
    curve.kind = model::BaselineKind::kCurve;
    curve.points = {{1 << 20, 32, 4, 100e9}, {1 << 30, 32, 4, 300e9}};
    table.insert(table.begin(), curve);
    CHECK(chosen(report) == "bound");
  }
  SECTION("what cannot be told is passed over, and the cell says why nothing is expected") {
    report.platforms[0].facts.erase("peak.nic_bytes_per_second");
    CHECK(chosen(report) == "correct");
    CHECK(choose(report).limits.why_correctness.starts_with("no bound for baseline bound: "));
    table.pop_back();
    CHECK(chosen(report) == "no-bound");
  }
  SECTION("what contradicts itself is not judged") {
    report.cells[0].parameters["ranks"] = std::int64_t{31};
    CHECK(chosen(report) == "no-bound");
  }
  SECTION("a bound of another name, or in another unit, is none") {
    table[0].of = "collectives";
    CHECK(chosen(report) == "bad-baseline");
    table[0].of = "collective";
    report.cells[0].measurements[0].unit = "s";
    CHECK(chosen(report) == "unit-mismatch");
  }
}

TEST_CASE("a share of a bound of time is one of speed") {
  model::Report report = Cluster{1, 8}.report("all_reduce.time", 8, 20e-6);
  model::Measurement& time = report.cells[0].measurements[0];
  time.unit = "s";
  time.better = contract::Better::kLess;
  model::Baseline bound = named("bound");
  bound.metric = "all_reduce.time";
  bound.kind = model::BaselineKind::kBound;
  bound.expected = 0.5;
  bound.unit = "ratio";
  bound.of = "nccl-model";
  bound.tolerance_below.reset();
  bound.tolerance_above = 0.1;
  report.platforms[0].baselines = {bound};
  const limits::Limits limits = choose(report).limits;
  CHECK(limits.expected == Approx(30e-6).epsilon(1e-3));
  CHECK(limits.high == Approx(33e-6).epsilon(1e-3));
  CHECK_FALSE(limits.low);
  CHECK(limits.origin.starts_with("0.5 of the speed of 15 us: NCCL's model of 8 bytes"));
}
