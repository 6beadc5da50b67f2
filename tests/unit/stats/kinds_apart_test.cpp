#include "harness/stats/kinds_apart.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <string>

namespace stats = rackproof::stats;

namespace {

/// Clusters by letters.
stats::Clusters of_letters(const std::string& letters) {
  stats::Clusters clusters;
  for (const char letter : letters) {
    const auto cluster = static_cast<std::size_t>(letter - 'a');
    clusters.of.push_back(cluster);
    if (clusters.sizes.size() <= cluster) clusters.sizes.resize(cluster + 1, 0);
    ++clusters.sizes[cluster];
  }
  clusters.stray.resize(letters.size(), false);
  return clusters;
}

std::optional<stats::KindsApart> apart_in_one(const std::string& letters,
                                              const std::vector<double>& values,
                                              bool more_is_better = true) {
  stats::KindTable table(letters.size());
  table.add(values, more_is_better);
  return stats::kinds_apart(table, of_letters(letters)).front();
}

using Worth = double (*)(std::size_t metric, std::size_t part);

/// Parts in two racks of eight, with a spread of 0.6 % in each metric.
stats::KindTable racks(Worth worth, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.006);
  stats::KindTable table(16);
  for (std::size_t m = 0; m < 60; ++m) {
    std::vector<double> values;
    for (std::size_t part = 0; part < 16; ++part) {
      values.push_back(100 * worth(m, part) * (1 + noise(random)));
    }
    table.add(std::move(values));
  }
  return table;
}

/// In how many of 200 runs some metric's gap may be 3 %.
int held_back(Worth worth) {
  const stats::Clusters clusters = of_letters("aaaaaaaabbbbbbbb");
  int held = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    bool any = false;
    for (const auto& apart : stats::kinds_apart(racks(worth, seed), clusters)) {
      any = any || (apart && apart->most >= 0.03);
    }
    held += any ? 1 : 0;
  }
  return held;
}

}  // namespace

TEST_CASE("how kinds lie apart in one metric is told by their medians") {
  const std::vector<double> values = {100, 101, 99, 100, 96, 95, 96, 97};
  auto apart = apart_in_one("aaaabbbb", values);
  REQUIRE(apart);
  CHECK(apart->gap == Approx(0.04));
  CHECK(apart->slower_centre == 96);
  CHECK(apart->faster_centre == 100);
  CHECK(apart->slower == std::vector<bool>{false, false, false, false, true, true, true, true});
  // Where less is better the others are slower.
  apart = apart_in_one("aaaabbbb", values, false);
  REQUIRE(apart);
  CHECK(apart->gap == Approx(4.0 / 96).epsilon(0.1));
  CHECK(apart->slower[0]);
}

TEST_CASE("kinds are joined to the two groups that lie farthest apart, and small clusters count") {
  const auto apart =
      apart_in_one("aaaabbbbcccc", {100, 100, 100, 100, 99, 99, 99, 99, 92, 92, 92, 92});
  REQUIRE(apart);
  CHECK_FALSE(apart->slower[4]);
  CHECK(apart->slower[8]);
  CHECK(apart->faster_centre == 99.5);
  // Two of eight are held against the others, one is not.
  CHECK(apart_in_one("aaaaaabb", {9, 9, 9, 9, 9, 9, 8, 8}));
  CHECK_FALSE(apart_in_one("aaaaaaab", {9, 9, 9, 9, 9, 9, 9, 8}));
}

TEST_CASE("equal kinds and metrics of one kind lie not apart") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(apart_in_one("aaaabbbb", std::vector<double>(8, 5)));
  CHECK_FALSE(apart_in_one("aaaabbbb", {1, 2, 3, 4, nan, nan, nan, nan}));
  CHECK_FALSE(apart_in_one("aaaabbbb", {0, 0, 0, 0, 0, 0, 0, 0}));
  CHECK_FALSE(apart_in_one("aaaa", {1, 2, 3, 4}));
}

TEST_CASE("the largest of sixty equal gaps is no larger than the others") {
  // Two racks 2.4 % apart in all metrics: the largest of the gaps by themselves is above 3 % in
  // nearly all runs. At kOwnGapLevel 2 of 200 are expected, and three times the root of that.
  CHECK(held_back([](std::size_t, std::size_t part) { return part < 8 ? 1 : 0.976; }) <= 6);
}

TEST_CASE("kinds that lie 3 % apart throughout are missed in one of twenty runs at most") {
  // 10 of 200, and three times the root of that.
  CHECK(held_back([](std::size_t, std::size_t part) { return part < 8 ? 1 : 0.97; }) >= 180);
}

TEST_CASE("a metric that differs more than the others has a gap of its own") {
  CHECK(held_back([](std::size_t m, std::size_t part) {
          return part < 8 ? 1 : m == 7 ? 0.945 : 0.985;
        }) >= 198);
  CHECK(held_back([](std::size_t m, std::size_t part) {
          return part < 8 || m % 3 > 0 ? 1 : 0.96;
        }) >= 198);
}

TEST_CASE("metrics that repeat each other do not make the common gap better known") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> values;
  for (std::size_t part = 0; part < 16; ++part) {
    values.push_back((part < 8 ? 100 : 98) * (1 + noise(random)));
  }
  stats::KindTable table(16);
  for (int m = 0; m < 60; ++m) table.add(values);
  const auto apart = stats::kinds_apart(table, of_letters("aaaaaaaabbbbbbbb")).front();
  REQUIRE(apart);
  CHECK(apart->common);
  // Student's t of 14 degrees, times the error of a difference of two medians.
  CHECK(apart->most > apart->gap + 0.005);
}
