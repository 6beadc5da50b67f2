#include "harness/stats/modes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace stats = rackproof::stats;

namespace {

std::vector<double> two_groups(std::size_t low, std::size_t high, double apart, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < low; ++i) values.push_back(100 + noise(random));
  for (std::size_t i = 0; i < high; ++i) values.push_back(100 + apart + noise(random));
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("two groups are split between them") {
  // By hand: the means are 2 and 42, ten of squares lie within each: 40 over the root of
  // 20 / (n - 2).
  const auto split = stats::split_in_two({0, 1, 2, 3, 4, 40, 41, 42, 43, 44});
  REQUIRE(split);
  CHECK(split->below == 5);
  CHECK(split->distance == Approx(40 / std::sqrt(20.0 / 8)));
}

TEST_CASE("groups of equal values are split") {
  const auto split = stats::split_in_two({1, 1, 1, 1, 2, 2, 2, 2, 2});
  REQUIRE(split);
  CHECK(split->below == 4);
}

TEST_CASE("strays are set aside before the rest is looked at") {
  std::vector<double> values = two_groups(20, 60, 12, 9);
  values.insert(values.begin(), {1, 2});
  values.push_back(1000);
  const auto split = stats::split_in_two(values);
  REQUIRE(split);
  CHECK(split->below == 22);
}

TEST_CASE("equal values and one hump are no two groups") {
  CHECK_FALSE(stats::split_in_two(std::vector<double>(50, 3.0)));
  for (unsigned seed = 0; seed < 20; ++seed) {
    CHECK_FALSE(stats::split_in_two(two_groups(0, 16, 0, seed)));
    CHECK_FALSE(stats::split_in_two(two_groups(0, 72, 0, seed)));
    CHECK_FALSE(stats::split_in_two(two_groups(0, 10000, 0, seed)));
  }
}

TEST_CASE("a lone part and a few are no group") {
  CHECK_FALSE(stats::split_in_two(two_groups(1, 15, 50, 1)));
  CHECK_FALSE(stats::split_in_two(two_groups(3, 13, 50, 1)));
  CHECK(stats::split_in_two(two_groups(4, 12, 50, 1)));
  CHECK_FALSE(stats::split_in_two(two_groups(9, 91, 50, 1)));
  CHECK(stats::split_in_two(two_groups(10, 90, 50, 1)));
  CHECK_FALSE(stats::split_in_two({1, 2, 3, 100, 101, 102, 103}));
  CHECK_FALSE(stats::split_in_two({}));
}

TEST_CASE("many values show groups that overlap") {
  const auto split = stats::split_in_two(two_groups(2000, 8000, 4, 3));
  REQUIRE(split);
  CHECK(split->below > 1800);
  CHECK(split->below < 2600);
}

TEST_CASE("a gap is found between three groups, and none in one hump") {
  std::vector<double> values = two_groups(16, 32, 60, 4);
  for (int i = 0; i < 16; ++i) values.push_back(values[15] + 20 + 0.1 * i);
  std::sort(values.begin(), values.end());
  const auto split = stats::split_at_gap(values, 1);
  REQUIRE(split);
  CHECK((split->below == 16 || split->below == 32));
  CHECK_FALSE(stats::split_at_gap(values, 1000));
  for (unsigned seed = 0; seed < 20; ++seed) {
    CHECK_FALSE(stats::split_at_gap(two_groups(0, 72, 0, seed), 0));
  }
}

TEST_CASE("the best two parts have as many values as is asked for") {
  const auto parts = stats::best_two_parts({1, 1.2, 9, 9.1}, 2);
  REQUIRE(parts);
  CHECK(parts->below == 2);
  CHECK(parts->apart == Approx(7.95));
  CHECK(parts->within > 0);
  CHECK_FALSE(stats::best_two_parts({1, 2, 9}, 2));
  CHECK_FALSE(stats::best_two_parts({3, 3, 3, 3}, 2));
  CHECK_FALSE(stats::best_two_parts({1e300, 1e300, 2e300, 2e300}, 2));
}

TEST_CASE("values that squares do not bear are split all the same") {
  std::vector<double> values = two_groups(8, 8, 60, 5);
  for (double& value : values) value *= 1e200;
  CHECK(stats::split_in_two(values)->below == 8);
  for (double& value : values) value *= 1e-250;
  CHECK(stats::split_in_two(values)->below == 8);
}
