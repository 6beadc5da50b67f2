#include "harness/judge/survey.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"

using namespace rackproof::judge;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<double>> healthy(std::size_t nodes, std::size_t metrics, double noise,
                                         unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> values(1, noise);
  std::vector<std::vector<double>> table(metrics, std::vector<double>(nodes));
  for (std::size_t m = 0; m < metrics; ++m) {
    for (double& value : table[m]) value = 100.0 * static_cast<double>(m + 1) * values(random);
  }
  return table;
}

std::vector<Deviation> found(const std::vector<std::vector<double>>& table,
                             BadSide bad = BadSide::kBoth, const SurveyPolicy& policy = {}) {
  std::vector<Column> columns;
  for (std::size_t m = 0; m < table.size(); ++m) {
    columns.push_back(survey_column(table[m], m, bad, policy));
  }
  return survey(columns, policy);
}

}  // namespace

TEST_CASE("one slow node is an outlier and comes first") {
  auto table = healthy(200, 20, 0.01, 1);
  table[3][17] *= 0.88;
  const auto deviations = found(table);
  REQUIRE(!deviations.empty());
  CHECK(deviations.front().node == 17);
  CHECK(deviations.front().metric == 3);
  CHECK(deviations.front().is_outlier);
  CHECK(deviations.front().z < 0);
}

TEST_CASE("the side that is bad decides") {
  auto table = healthy(200, 4, 0.01, 2);
  table[0][5] *= 1.15;
  CHECK(found(table, BadSide::kBelow).empty());
  CHECK(found(table, BadSide::kAbove).size() == 1);
  CHECK(found(table, BadSide::kBoth).size() == 1);
}

TEST_CASE("discoveries and outliers are those of the rules over all comparisons") {
  const unsigned seed = GENERATE(range(1U, 9U));
  auto table = healthy(300, 12, 0.02, seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) table[random() % 12][random() % 300] *= 0.88 + 0.001 * i;
  std::vector<double> probabilities;
  for (const auto& values : table) {
    const auto standings = rackproof::stats::stand_among_peers({{values, true, 1}});
    for (const auto& one : standings.front().each) {
      // Less than the smallest effect is as good as none.
      const bool counts = std::abs(one.deficit) >= SurveyPolicy{}.effect;
      probabilities.push_back(counts ? std::min(1.0, 2 * std::min(one.p, one.p_better)) : 1);
    }
  }
  const auto discoveries = rackproof::stats::benjamini_hochberg(probabilities, 0.05);
  const auto outliers = rackproof::stats::holm(probabilities, 0.05);
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
    const auto deviations = found(healthy(100, 10, 0.03, static_cast<unsigned>(1000 + i)));
    alarmed += !deviations.empty() && deviations.front().is_outlier ? 1 : 0;
  }
  // Ten are promised at most; five standard deviations of that count above.
  CHECK(alarmed <= 10 + 5 * std::sqrt(10.0));
}

TEST_CASE("a value that is missing is no deviation, and too few are not compared") {
  std::vector<double> values(50, 10);
  values[3] = kMissing;
  const Column column = survey_column(values, 0, BadSide::kBoth, {});
  CHECK(column.present == 49);
  CHECK(column.compared);
  CHECK(column.suspects.empty());
  CHECK(!survey_column({1, 2, 3, kMissing}, 0, BadSide::kBoth, {}).compared);
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
  auto table = healthy(200, 1, 0.005, 3);
  for (std::size_t i = 0; i < 60; ++i) table[0][i] *= 0.8;
  CHECK(found(table).empty());
  CHECK(survey_column(table[0], 0, BadSide::kBoth, {}).other_median.has_value());
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
