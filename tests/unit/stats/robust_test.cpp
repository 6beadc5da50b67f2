#include "harness/stats/robust.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

namespace stats = rackproof::stats;

namespace {
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("the median is the middle value, or the mean of the two middle ones") {
  CHECK(stats::median({7}) == 7);
  CHECK(stats::median({3, 1, 2}) == 2);
  CHECK(stats::median({4, 1, 3, 2}) == 2.5);
  CHECK(stats::median({5, 5, 5, 1}) == 5);
  CHECK(stats::median({-1, -9, -5}) == -5);
}

TEST_CASE("the median of large values does not overflow") {
  const double big = std::numeric_limits<double>::max();
  CHECK(stats::median({big, big}) == big);
}

TEST_CASE("the mean keeps its precision around a large offset") {
  CHECK(stats::mean({1, 2, 3, 4}) == 2.5);
  CHECK(stats::mean({1e15 + 1, 1e15 + 2, 1e15 + 3}) == 1e15 + 2);
  const double big = std::numeric_limits<double>::max();
  CHECK(stats::mean({big, big, big}) == big);
}

TEST_CASE("the median absolute deviation is the median distance from the median") {
  // By hand: median 2, distances 1 1 0 0 2 4 7, sorted 0 0 1 1 2 4 7.
  CHECK(stats::median_absolute_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
  CHECK(stats::median_absolute_deviation({5, 5, 5, 100}) == 0);
  CHECK(stats::median_absolute_deviation({3}) == 0);
}

TEST_CASE("nearest rank gives a value of the series") {
  std::vector<double> hundred;
  for (int i = 100; i >= 1; --i) hundred.push_back(i);
  CHECK(stats::nearest_rank(hundred, 99) == 99);
  CHECK(stats::nearest_rank(hundred, 1) == 1);
  CHECK(stats::nearest_rank(hundred, 7) == 7);
  CHECK(stats::nearest_rank(hundred, 100) == 100);
  CHECK(stats::nearest_rank(hundred, 99.5) == 100);
  CHECK(stats::nearest_rank(hundred, 0.001) == 1);
  // The example of the method: ranks ceil(0.05 * 5) = 1, ceil(0.3 * 5) = 2, ceil(0.4 * 5) = 2.
  const std::vector<double> five = {15, 20, 35, 40, 50};
  CHECK(stats::nearest_rank(five, 5) == 15);
  CHECK(stats::nearest_rank(five, 30) == 20);
  CHECK(stats::nearest_rank(five, 40) == 20);
  CHECK(stats::nearest_rank(five, 50) == 35);
  CHECK_THROWS_AS(stats::nearest_rank(five, 0), std::invalid_argument);
  CHECK_THROWS_AS(stats::nearest_rank(five, 100.1), std::invalid_argument);
  CHECK_THROWS_AS(stats::nearest_rank(five, kNan), std::invalid_argument);
}

TEST_CASE("quartiles are the nearest ranks of 25 and 75 percent, whatever the order") {
  for (std::size_t n = 1; n <= 40; ++n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * 7919 % 23));
    const stats::Quartiles found = stats::quartiles(values);
    CHECK(found.first == stats::nearest_rank(values, 25));
    CHECK(found.third == stats::nearest_rank(values, 75));
  }
}

TEST_CASE("the modified z-score is 0.6745 distances in units of the MAD") {
  const stats::Spread among = stats::spread({1, 1, 2, 2, 4, 6, 9});
  CHECK(among.median == 2);
  CHECK(among.deviation == 1);
  CHECK(stats::modified_z(9, among) == Approx(4.7215));
  CHECK(stats::modified_z(1, among) == Approx(-0.6745));
  CHECK(stats::modified_z(2, among) == 0);
}

TEST_CASE("the floor keeps noise among equal values from being an outlier") {
  const std::vector<double> tight = {100, 100, 100, 100, 100, 100.01};
  const stats::Spread among = stats::spread(tight);
  CHECK(among.deviation == Approx(0.5));
  CHECK(stats::modified_z(100.01, among) < 0.02);
  CHECK(stats::modified_z(90, among) == Approx(-13.49));
}

TEST_CASE("the floor counts for negative medians, and does not shrink a real spread") {
  CHECK(stats::spread({-100, -100, -100}).deviation == Approx(0.5));
  CHECK(stats::spread({80, 100, 120}, 0.01).deviation == 20);
}

TEST_CASE("a median of zero leaves no floor: any other value is infinitely far") {
  const stats::Spread among = stats::spread({0, 0, 0});
  CHECK(stats::modified_z(0, among) == 0);
  CHECK(stats::modified_z(1, among) == kInf);
  CHECK(stats::modified_z(-1, among) == -kInf);
}

TEST_CASE("empty series and values that are not finite are refused") {
  for (const std::vector<double>& bad : {std::vector<double>{}, {1, kNan, 2}, {kInf}, {1, -kInf}}) {
    CHECK_THROWS_AS(stats::median(bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::mean(bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::median_absolute_deviation(bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::nearest_rank(bad, 50), std::invalid_argument);
    CHECK_THROWS_AS(stats::quartiles(bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::spread(bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(stats::spread({1, 2}, 0), std::invalid_argument);
  CHECK_THROWS_AS(stats::spread({1, 2}, kNan), std::invalid_argument);
  CHECK_THROWS_AS(stats::modified_z(kNan, {1, 1}), std::invalid_argument);
}
