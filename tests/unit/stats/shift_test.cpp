#include "harness/stats/shift.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

namespace rackproof::stats {
namespace {

// All differences, or averages, written out.
std::vector<double> differences(const std::vector<double>& before,
                                const std::vector<double>& after) {
  std::vector<double> all;
  for (const double x : before) {
    for (const double y : after) all.push_back(y - x);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<double> averages(const std::vector<double>& values) {
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) all.push_back((values[i] + values[j]) / 2);
  }
  std::sort(all.begin(), all.end());
  return all;
}

double middle(const std::vector<double>& sorted) {
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

std::vector<double> normal(std::mt19937& random, std::size_t count, double mean) {
  std::normal_distribution<double> distribution(mean, 1);
  std::vector<double> values(count);
  for (double& value : values) value = distribution(random);
  return values;
}

}  // namespace

TEST_CASE("shift: that of two series is the median of all differences") {
  std::mt19937 random(1);
  for (const std::size_t n : {1U, 2U, 7U, 50U}) {
    const auto before = normal(random, n, 3);
    const auto after = normal(random, n + 3, 4);
    CHECK(TwoSamples(before, after).shift().estimate ==
          Approx(middle(differences(before, after))).epsilon(1e-12));
  }
}

TEST_CASE("shift: that of pairs is the median of all averages") {
  std::mt19937 random(2);
  for (const std::size_t n : {1U, 2U, 7U, 50U}) {
    const auto values = normal(random, n, 0.5);
    CHECK(Pairs(values).shift().estimate == Approx(middle(averages(values))).epsilon(1e-12));
  }
}

TEST_CASE("shift: intervals end at the ranks of the tables") {
  // Tables of Mann and Whitney, and of Wilcoxon, at 5 % and 1 % two-sided: the statistic that is
  // refused just so, plus one, is the rank of the interval's end.
  const std::vector<double> five = {1, 2, 4, 8, 16};
  const std::vector<double> seven = {3, 9, 27, 81, 243, 729, 2187};
  const auto all = differences(five, seven);
  const auto interval = TwoSamples(five, seven).interval(0.95);
  REQUIRE(interval);
  CHECK(interval->low == Approx(all[5]));
  CHECK(interval->high == Approx(all[all.size() - 6]));
  CHECK(TwoSamples(five, seven).interval(0.99)->low == Approx(all[1]));

  const std::vector<double> ten = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  const auto both = averages(ten);
  CHECK(Pairs(ten).interval(0.95)->low == Approx(both[8]));
  CHECK(Pairs(ten).interval(0.95)->high == Approx(both[both.size() - 9]));
  CHECK(Pairs(ten).interval(0.99)->low == Approx(both[3]));
}

TEST_CASE("too few values or pairs have no interval of their shift") {
  CHECK_FALSE(TwoSamples({1, 2, 3}, {4, 5, 6}).interval(0.95));
  CHECK(TwoSamples({1, 2, 3, 4}, {4, 5, 6, 7}).interval(0.95));
  CHECK_FALSE(Pairs({1, 2, 3, 4, 5}).interval(0.95));
  CHECK(Pairs({1, 2, 3, 4, 5, 6}).interval(0.95));
}

TEST_CASE("shift: the exact ranks and the normal ones agree where they meet") {
  std::mt19937 random(3);
  const auto before = normal(random, 40, 0);
  auto after = normal(random, 40, 1);
  const auto exact = *TwoSamples(before, after).interval(0.99);
  after.push_back(middle(after));
  const auto approximate = *TwoSamples(before, after).interval(0.99);
  CHECK(approximate.low == Approx(exact.low).margin(0.1));
  CHECK(approximate.high == Approx(exact.high).margin(0.1));
}

TEST_CASE("shift: intervals hold the true shift as often as they say") {
  std::mt19937 random(4);
  int held = 0;
  int held_pairs = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto interval = *TwoSamples(normal(random, 12, 5), normal(random, 15, 7)).interval(0.9);
    held += interval.low <= 2 && 2 <= interval.high ? 1 : 0;
    const auto pairs = *Pairs(normal(random, 80, 2)).interval(0.9);
    held_pairs += pairs.low <= 2 && 2 <= pairs.high ? 1 : 0;
  }
  CHECK(held >= 875);
  CHECK(held <= 940);
  CHECK(held_pairs >= 875);
  CHECK(held_pairs <= 925);
}

TEST_CASE("shift: the effect says how far the series are apart") {
  CHECK(TwoSamples({1, 2}, {3, 4}).shift().effect == 1);
  CHECK(TwoSamples({3, 4}, {1, 2}).shift().effect == -1);
  CHECK(TwoSamples({1, 2}, {1, 2}).shift().effect == 0);
  CHECK(Pairs({1, 2, -3}).shift().effect == 0);
  CHECK(Pairs({1, 2, 3}).shift().effect == 1);
  CHECK(Pairs({0, 0}).shift().effect == 0);
}

TEST_CASE("shift: values that are all the same have no width") {
  const auto interval =
      TwoSamples(std::vector<double>(9, 5), std::vector<double>(9, 5)).interval(0.95);
  REQUIRE(interval);
  CHECK(interval->low == 0);
  CHECK(interval->high == 0);
  CHECK(Pairs(std::vector<double>(9, 0)).interval(0.95)->high == 0);
}

TEST_CASE("shift: ten thousand values each take no time to speak of") {
  std::mt19937 random(5);
  const TwoSamples many(normal(random, 10000, 0), normal(random, 10000, 0.1));
  CHECK(many.shift().estimate == Approx(0.1).margin(0.05));
  CHECK(many.interval(0.999)->low < 0.1);
}

TEST_CASE("shift: what is no series is refused") {
  CHECK_THROWS_AS(TwoSamples({}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(Pairs({}), std::invalid_argument);
  CHECK_THROWS_AS(Pairs({1, 2}).interval(1), std::invalid_argument);
}

TEST_CASE("the ends of an interval of tied values are differences that there are") {
  std::mt19937_64 random(3);
  int excluded = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < 60; ++i) {
      before.push_back(static_cast<double>(random() % 3));
      after.push_back(static_cast<double>(random() % 3));
    }
    const auto interval = TwoSamples(before, after).interval(0.95);
    REQUIRE(interval);
    CHECK(interval->low == std::round(interval->low));
    CHECK(interval->high == std::round(interval->high));
    excluded += interval->low > 0 || interval->high < 0 ? 1 : 0;
  }
  CHECK(excluded <= 20);
}

TEST_CASE("few values have an interval by Student's t") {
  const FewValues few({1, 1.1, 0.9}, {2, 2.1, 1.9});
  REQUIRE(few.interval(0.95));
  // t(0.975, 4) = 2.776, spread 0.1, error 0.1 * sqrt(2 / 3).
  CHECK(few.interval(0.95)->low == Approx(1 - 2.776 * 0.08165).epsilon(1e-3));
  CHECK(few.interval(0.95)->high == Approx(1 + 2.776 * 0.08165).epsilon(1e-3));
  CHECK_FALSE(FewValues({1}, {2, 3}).interval(0.95));
  CHECK(FewValues({1}, {2, 3, 4}).interval(0.95));
}

}  // namespace rackproof::stats
