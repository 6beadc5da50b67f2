#include "benches/kit/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

using namespace rackproof::kit;

TEST_CASE("statistics of a series") {
  const std::vector<double> odd{5, 1, 3};
  CHECK(smallest(odd) == 1);
  CHECK(largest(odd) == 5);
  CHECK(mean(odd) == 3);
  CHECK(median(odd) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({7}) == 7);
}

TEST_CASE("percentiles are nearest rank") {
  std::vector<double> hundred;
  for (int i = 100; i >= 1; --i) hundred.push_back(i);
  CHECK(percentile(hundred, 99) == 99);
  CHECK(percentile(hundred, 100) == 100);
  CHECK(percentile(hundred, 50) == 50);
  CHECK(percentile(hundred, 0.1) == 1);
  CHECK(percentile({1, 2, 3}, 99) == 3);
  CHECK_THROWS_AS(percentile(hundred, 0), std::invalid_argument);
  CHECK_THROWS_AS(percentile(hundred, 101), std::invalid_argument);
  CHECK_THROWS_AS(percentile(hundred, std::nan("")), std::invalid_argument);
}

TEST_CASE("rates of times") {
  CHECK(rates(10, {2, 5}) == std::vector<double>{5, 2});
  CHECK(std::isinf(rates(10, {0}).front()));
}

TEST_CASE("a series with a NaN has no statistics but NaN") {
  const std::vector<double> bad{1, std::nan(""), 2};
  CHECK(std::isnan(smallest(bad)));
  CHECK(std::isnan(largest(bad)));
  CHECK(std::isnan(mean(bad)));
  CHECK(std::isnan(median(bad)));
  CHECK(std::isnan(percentile(bad, 50)));
}

TEST_CASE("an empty series is an error") {
  CHECK_THROWS_AS(smallest({}), std::invalid_argument);
  CHECK_THROWS_AS(largest({}), std::invalid_argument);
  CHECK_THROWS_AS(mean({}), std::invalid_argument);
  CHECK_THROWS_AS(median({}), std::invalid_argument);
  CHECK_THROWS_AS(percentile({}, 50), std::invalid_argument);
  CHECK_THROWS_AS(rates(1, {}), std::invalid_argument);
}
