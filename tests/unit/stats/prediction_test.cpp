#include "harness/stats/prediction.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace stats = rackproof::stats;

TEST_CASE("a prediction limit is Student's t with the error of the mean") {
  // Quantiles of t at 0.999: 7.173 with 4 degrees of freedom, 3.579 with 19 (any table).
  CHECK(stats::prediction_deviations(5, 4, 0.001) == Approx(7.173 * std::sqrt(1.2)).epsilon(1e-3));
  CHECK(stats::prediction_deviations(20, 19, 0.001) ==
        Approx(3.579 * std::sqrt(1.05)).epsilon(1e-3));
  CHECK(stats::prediction_deviations(5, 1e6, 0.001) ==
        Approx(3.0902 * std::sqrt(1.2)).epsilon(1e-3));
  CHECK_THROWS_AS(stats::prediction_deviations(0, 4, 0.001), std::invalid_argument);
  CHECK_THROWS_AS(stats::prediction_deviations(5, 0, 0.001), std::invalid_argument);
  CHECK_THROWS_AS(stats::prediction_deviations(5, 4, 0.5), std::invalid_argument);
}

TEST_CASE("the next value lies beyond it as often as it says") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(10, 2);
  const double deviations = stats::prediction_deviations(5, 4, 0.05);
  int beyond = 0;
  const int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 5; ++i) {
      const double value = normal(random);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / 5;
    const double deviation = std::sqrt((squares - 5 * mean * mean) / 4);
    if (normal(random) < mean - deviations * deviation) ++beyond;
  }
  CHECK(std::abs(beyond / static_cast<double>(trials) - 0.05) < 0.006);
}

TEST_CASE("how many values it takes") {
  const std::size_t n = stats::values_for_prediction(4, 0.001, 1000);
  CHECK(stats::prediction_deviations(n, static_cast<double>(n - 1), 0.001) <= 4);
  CHECK(stats::prediction_deviations(n - 1, static_cast<double>(n - 2), 0.001) > 4);
  CHECK(stats::values_for_prediction(3, 0.001, 1000) == 0);
}
