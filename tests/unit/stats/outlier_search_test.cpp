#include "harness/stats/outlier_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"

using namespace rackproof::stats;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<double>> healthy_table(std::size_t nodes, std::size_t metrics, double noise,
                                               unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> values(1, noise);
  std::vector<std::vector<double>> table(metrics, std::vector<double>(nodes));
  for (std::size_t m = 0; m < metrics; ++m) {
    for (double& value : table[m]) value = 100.0 * static_cast<double>(m + 1) * values(random);
  }
  return table;
}

std::vector<Column> columns_of(const std::vector<std::vector<double>>& table,
                               BadSide bad = BadSide::kBoth, const OutlierPolicy& policy = {}) {
  OutlierSearch all(table.size(), policy);
  for (std::size_t m = 0; m < table.size(); ++m) all.take(m, table[m], bad);
  all.pool();
  std::vector<Column> columns;
  for (std::size_t m = 0; m < table.size(); ++m) columns.push_back(all.column(m));
  return columns;
}

std::vector<Deviation> found(const std::vector<std::vector<double>>& table,
                             BadSide bad = BadSide::kBoth, const OutlierPolicy& policy = {}) {
  std::vector<Column> columns = columns_of(table, bad, policy);
  return find_deviations(columns, policy);
}

}  // namespace

TEST_CASE("one slow node is an outlier and comes first") {
  auto table = healthy_table(200, 20, 0.01, 1);
  table[3][17] *= 0.88;
  const auto deviations = found(table);
  REQUIRE(!deviations.empty());
  CHECK(deviations.front().node == 17);
  CHECK(deviations.front().metric == 3);
  CHECK(deviations.front().is_outlier);
  CHECK(deviations.front().z < 0);
}

TEST_CASE("the side that is bad decides") {
  auto table = healthy_table(200, 4, 0.01, 2);
  table[0][5] *= 1.15;
  CHECK(found(table, BadSide::kBelow).empty());
  CHECK(found(table, BadSide::kAbove).size() == 1);
  CHECK(found(table, BadSide::kBoth).size() == 1);
}

TEST_CASE("discoveries and outliers are those of the rules over all comparisons") {
  const unsigned seed = GENERATE(range(1U, 9U));
  auto table = healthy_table(300, 12, 0.02, seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) table[random() % 12][random() % 300] *= 0.88 + 0.001 * i;
  std::vector<double> probabilities;
  std::vector<LikeSet> sets;
  for (const auto& values : table) sets.push_back({values, true, 1});
  for (const auto& standings : stand_among_peers(sets)) {
    for (const auto& one : standings.each) {
      // Less than the smallest effect is as good as none.
      const bool counts = std::abs(one.deficit) >= OutlierPolicy{}.effect;
      probabilities.push_back(counts ? std::min(1.0, 2 * std::min(one.p, one.p_better)) : 1);
    }
  }
  const auto discoveries = benjamini_hochberg(probabilities, 0.05);
  const auto outliers = holm(probabilities, 0.05);
  const auto deviations = found(table);
  CHECK(deviations.size() == discoveries.size());
  CHECK(static_cast<std::size_t>(std::count_if(deviations.begin(), deviations.end(), [](auto& one) {
          return one.is_outlier;
        })) == outliers.size());
  CHECK(!outliers.empty());
}

TEST_CASE("healthy tables stay silent within the family's error rate") {
  int alarmed = 0;
  constexpr int kTables = 200;
  // Noise of 3 %, so that the least effect hides nothing.
  for (int i = 0; i < kTables; ++i) {
    const auto deviations = found(healthy_table(100, 10, 0.03, static_cast<unsigned>(1000 + i)));
    alarmed += !deviations.empty() && deviations.front().is_outlier ? 1 : 0;
  }
  // Ten are promised at most; five standard deviations of that count above.
  CHECK(alarmed <= 10 + 5 * std::sqrt(10.0));
}

TEST_CASE("a value that is missing is no deviation, and too few are not compared") {
  std::vector<double> values(50, 10);
  values[3] = kMissing;
  const Column column = columns_of({values})[0];
  CHECK(column.present == 49);
  CHECK(column.compared);
  CHECK(column.suspects.empty());
  CHECK(!columns_of({{1, 2, 3, kMissing}})[0].compared);
}

TEST_CASE("a counter that is zero everywhere but once is an outlier there") {
  std::vector<std::vector<double>> table{std::vector<double>(100, 0)};
  CHECK(found(table).empty());
  table[0][70] = 3;
  const auto deviations = found(table, BadSide::kAbove);
  REQUIRE(deviations.size() == 1);
  CHECK(deviations.front().node == 70);
  CHECK(deviations.front().is_outlier);
}

TEST_CASE("less than the smallest effect is no deviation, however tight the rest") {
  std::vector<std::vector<double>> table{std::vector<double>(1000, 100)};
  table[0][1] = 97.5;
  CHECK(found(table).empty());
  table[0][1] = 90;
  CHECK(found(table).size() == 1);
}

TEST_CASE("two groups of nodes are no outliers, and one that is in neither is") {
  auto table = healthy_table(200, 1, 0.005, 3);
  for (std::size_t i = 0; i < 60; ++i) table[0][i] *= 0.8;
  CHECK(found(table).empty());
  CHECK(columns_of(table)[0].other_median.has_value());
  CHECK(columns_of(table)[0].slower.size() == 60);
  table[0][7] *= 0.9;
  const auto deviations = found(table);
  REQUIRE(deviations.size() == 1);
  CHECK(deviations.front().node == 7);
}

TEST_CASE("the largest numbers do not overflow into silence") {
  std::vector<std::vector<double>> table{std::vector<double>(100, 1e300)};
  table[0][9] = -1e300;
  const auto deviations = found(table);
  REQUIRE(deviations.size() == 1);
  CHECK(std::isfinite(deviations.front().z));
}

TEST_CASE(
    "a node 8 % slow in one of sixty metrics is found among eight nodes as the judge finds it") {
  int outliers = 0;
  constexpr int kTables = 40;
  for (unsigned i = 0; i < kTables; ++i) {
    auto table = healthy_table(8, 60, 0.01, 7000 + i);
    table[11][3] *= 0.92;
    const auto deviations = found(table, BadSide::kBelow);
    outliers += !deviations.empty() && deviations[0].node == 3 && deviations[0].is_outlier ? 1 : 0;
  }
  // Each column by itself finds it in one of 25 tables.
  CHECK(outliers >= kTables * 8 / 10);
}

TEST_CASE("the members of a slower group are named") {
  const auto [nodes, slow] = GENERATE(
      table<std::size_t, std::size_t>({{64, 7}, {16, 4}, {64, 16}, {4, 2}, {8, 4}, {20, 15}}));
  auto values = healthy_table(nodes, 1, 0.004, 5);
  for (std::size_t i = 0; i < slow; ++i) values[0][i] *= 0.5;
  const auto slower = columns_of(values, BadSide::kBelow)[0].slower;
  REQUIRE(slower.size() == slow);
  CHECK(slower.front() == 0);
  CHECK(slower.back() == slow - 1);
}

TEST_CASE("a rate is promised where the noise shows that it may be") {
  const auto bases = [](const auto& draw, std::size_t nodes, std::size_t metrics) {
    std::vector<std::vector<double>> table(metrics, std::vector<double>(nodes));
    for (auto& column : table) {
      for (double& value : column) value = draw();
    }
    std::size_t promised = 0;
    for (const Column& column : columns_of(table)) promised += promises_rate(column.basis) ? 1 : 0;
    return promised;
  };
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal(100, 1);
  std::student_t_distribution<double> heavy(3);
  CHECK(bases([&] { return normal(random); }, 500, 10) == 10);
  CHECK(bases([&] { return normal(random); }, 16, 60) > 45);
  CHECK(bases([&] { return normal(random); }, 8, 1) == 0);
  CHECK(bases([&] { return 100 + heavy(random); }, 500, 10) == 0);
  CHECK(bases([&] { return 100 + heavy(random); }, 16, 60) < 6);
  CHECK(bases([&] { return std::round(normal(random)); }, 500, 10) == 0);
  CHECK(bases([&] { return static_cast<double>(random() % 3); }, 500, 10) == 0);
}

TEST_CASE("where no rate is promised the rank is told") {
  std::vector<std::vector<double>> table{std::vector<double>(100, 0)};
  table[0][70] = 3;
  table[0][71] = 4;
  const auto deviations = found(table, BadSide::kAbove);
  REQUIRE(deviations.size() == 2);
  CHECK(deviations[0].by_rank);
  CHECK(deviations[0].rank == 1);
  CHECK(deviations[0].node == 71);
  CHECK(deviations[1].rank == 2);
}
