#include "harness/stats/kinds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace stats = rackproof::stats;

namespace {

using Table = std::vector<std::vector<double>>;  // by metric, then part

/// Parts that differ by 0.7 %, each worth its share of 100 in every metric.
Table parts(const std::vector<double>& worth, std::size_t metrics, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.007);
  Table table(metrics);
  for (auto& metric : table) {
    for (const double share : worth) metric.push_back(100 * share * (1 + noise(random)));
  }
  return table;
}

stats::Clusters told(const Table& table) {
  stats::KindTable kinds(table.front().size());
  for (const auto& metric : table) kinds.add(metric);
  return kinds.clusters();
}

/// The clusters of parts by letters: "aabb".
std::string letters(const stats::Clusters& clusters) {
  std::string text;
  std::vector<std::size_t> seen;
  for (const std::size_t cluster : clusters.of) {
    auto place = std::find(seen.begin(), seen.end(), cluster);
    if (place == seen.end()) place = seen.insert(place, cluster);
    text += static_cast<char>('a' + (place - seen.begin()));
  }
  return text;
}

const std::vector<double> kHalves = {1, 0.97, 1, 0.97, 1, 0.97, 1, 0.97, 1, 0.97};

}  // namespace

TEST_CASE("kinds that overlap in each metric are told by all of them") {
  const stats::Clusters clusters = told(parts(kHalves, 40));
  CHECK(letters(clusters) == "ababababab");
  CHECK(clusters.any_kind());
  CHECK(letters(told(parts(kHalves, 3))) == "aaaaaaaaaa");
}

TEST_CASE("three kinds are told, and too few parts are clusters and no kinds") {
  std::vector<double> worth(24, 1);
  for (std::size_t i = 0; i < 6; ++i) worth[i] = 0.98;
  for (std::size_t i = 20; i < 24; ++i) worth[i] = 0.96;
  const stats::Clusters clusters = told(parts(worth, 60));
  CHECK(letters(clusters) == "aaaaaabbbbbbbbbbbbbbcccc");
  for (std::size_t i = 0; i < 3; ++i) CHECK(clusters.is_kind(i));
  worth.assign(12, 1);
  for (std::size_t i = 0; i < 3; ++i) worth[i] = 0.95;
  const stats::Clusters few = told(parts(worth, 60));
  CHECK(letters(few) == "aaabbbbbbbbb");
  CHECK_FALSE(few.is_kind(few.of[0]));
  CHECK(few.is_kind(few.of[5]));
}

TEST_CASE("kinds that are faster in some metrics and slower in others are told") {
  Table table = parts(std::vector<double>(16, 1), 40);
  for (std::size_t m = 0; m < table.size(); ++m) {
    for (std::size_t i = 0; i < 6; ++i) table[m][i] *= m % 2 == 0 ? 1.03 : 0.97;
  }
  CHECK(letters(told(table)) == "aaaaaabbbbbbbbbb");
}

TEST_CASE("like parts are of one kind") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    CHECK_FALSE(told(parts(std::vector<double>(16, 1), 60, seed)).any_kind());
    CHECK_FALSE(told(parts(std::vector<double>(72, 1), 10, seed)).any_kind());
  }
  CHECK_FALSE(told(Table(10, std::vector<double>(12, 5))).any_kind());
  CHECK_FALSE(told(Table(10, std::vector<double>(12, 0))).any_kind());
}

TEST_CASE("metrics that say the same again prove nothing") {
  const Table once = parts(std::vector<double>(16, 1), 1, 7);
  CHECK_FALSE(told(Table(60, once.front())).any_kind());
}

TEST_CASE("a metric in which half of the parts are slow makes no kinds") {
  Table table = parts(std::vector<double>(16, 1), 20);
  for (std::size_t i = 0; i < 8; ++i) table[3][i] *= 0.5;
  CHECK_FALSE(told(table).any_kind());
}

TEST_CASE("a slow part is no kind, and hides in none") {
  std::vector<double> worth = kHalves;
  worth.insert(worth.end(), kHalves.begin(), kHalves.end());
  Table table = parts(worth, 60);
  table[7][0] *= 0.9;  // in one metric: it stays what it is
  CHECK(letters(told(table)) == "abababababababababab");
  CHECK_FALSE(told(table).stray[0]);
  worth[0] = 0.92;  // in all: like the slow kind, and no part of it
  const stats::Clusters clusters = told(parts(worth, 60));
  CHECK((clusters.stray[0] || !clusters.is_kind(clusters.of[0])));
  CHECK(clusters.of[2] == clusters.of[4]);
  CHECK(clusters.of[1] == clusters.of[3]);
  CHECK(clusters.of[1] != clusters.of[2]);
}

TEST_CASE("missing values are no matter, and parts with hardly any are of no kind") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> worth = kHalves;
  worth.insert(worth.end(), kHalves.begin(), kHalves.end());
  Table table = parts(worth, 60);
  for (std::size_t m = 0; m < table.size(); ++m) {
    table[m][m % 20] = nan;
    if (m > 4) table[m][6] = nan;
  }
  for (double& value : table[9]) value = nan;
  const stats::Clusters clusters = told(table);
  CHECK(clusters.sizes[clusters.of[6]] == 1);
  CHECK(clusters.of[0] == clusters.of[2]);
  CHECK(clusters.of[1] == clusters.of[3]);
  CHECK(clusters.of[0] != clusters.of[1]);
}

TEST_CASE("a metric of another number of parts is refused") {
  stats::KindTable kinds(4);
  CHECK_THROWS_AS(kinds.add({1, 2, 3}), std::invalid_argument);
  CHECK(kinds.clusters().sizes == std::vector<std::size_t>{4});
}
