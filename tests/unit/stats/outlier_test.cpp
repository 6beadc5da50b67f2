#include "harness/stats/outlier.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "harness/stats/robust.hpp"

namespace stats = rackproof::stats;
using stats::Sides;

// Reference values: statistics.NormalDist().inv_cdf(1 - alpha / m) in Python.
TEST_CASE("the family threshold is the normal quantile of the shared error rate") {
  CHECK(stats::family_threshold(0.05, 1, Sides::kTwo) == Approx(1.9599639845));
  CHECK(stats::family_threshold(0.05, 200000, Sides::kOne) == Approx(5.026312836));
  CHECK(stats::family_threshold(0.05, 200000, Sides::kTwo) == Approx(5.157701312));
}

// Reference values: numeric integration of Student's density (midpoint rule after x = tan t) and
// bisection, in Python.
TEST_CASE("the peer threshold is wide among few and close to the normal one among many") {
  CHECK(stats::peer_threshold(1e-3, 1, 4, Sides::kOne) == Approx(42.00945457).epsilon(1e-5));
  CHECK(stats::peer_threshold(1e-3, 1, 16, Sides::kOne) == Approx(5.016462419).epsilon(1e-5));
  CHECK(stats::peer_threshold(1e-2, 100, 72, Sides::kOne) == Approx(4.258061286).epsilon(1e-5));
  CHECK(stats::peer_threshold(1e-3, 1, 100000, Sides::kOne) ==
        Approx(stats::family_threshold(1e-3, 1, Sides::kOne)).epsilon(1e-3));
}

TEST_CASE("more comparisons, fewer peers and two sides each ask for more") {
  const double base = stats::peer_threshold(0.05, 10, 16, Sides::kOne);
  CHECK(stats::peer_threshold(0.05, 100, 16, Sides::kOne) > base);
  CHECK(stats::peer_threshold(0.05, 10, 8, Sides::kOne) > base);
  CHECK(stats::peer_threshold(0.05, 10, 16, Sides::kTwo) > base);
  CHECK(stats::peer_threshold(0.05, 10, 16, Sides::kTwo) ==
        Approx(stats::peer_threshold(0.05, 20, 16, Sides::kOne)));
}

TEST_CASE("false alarms among healthy peers stay within the family's error rate") {
  const std::size_t peers = GENERATE(4U, 5U, 8U, 16U, 32U);
  std::mt19937_64 random(peers);
  std::normal_distribution<double> healthy(100, 3);
  const int runs = 20000;
  const double alpha = 0.05;
  const double limit = stats::peer_threshold(alpha, peers, peers, Sides::kTwo);
  int alarmed = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> values(peers);
    for (double& value : values) value = healthy(random);
    const stats::Spread among = stats::spread(values);
    bool alarm = false;
    for (const double value : values) {
      alarm = alarm || std::abs(stats::modified_z(value, among)) > limit;
    }
    alarmed += alarm ? 1 : 0;
  }
  // Five standard deviations of the count above the promise.
  CHECK(alarmed < runs * alpha + 5 * std::sqrt(runs * alpha));
}

TEST_CASE("the smallest error rates give a threshold, infinite at worst") {
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(stats::family_threshold(least, 1, Sides::kOne) > 30);
  CHECK(stats::peer_threshold(least, 1000000, 4, Sides::kTwo) > 1e100);
}

TEST_CASE("thresholds refuse what cannot be meant") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, 1.0, -0.1, nan}) {
    CHECK_THROWS_AS(stats::family_threshold(bad, 1, Sides::kOne), std::invalid_argument);
    CHECK_THROWS_AS(stats::peer_threshold(bad, 1, 8, Sides::kOne), std::invalid_argument);
  }
  CHECK_THROWS_AS(stats::family_threshold(0.05, 0, Sides::kOne), std::invalid_argument);
  CHECK_THROWS_AS(stats::peer_threshold(0.05, 0, 8, Sides::kOne), std::invalid_argument);
  CHECK_THROWS_AS(stats::peer_threshold(0.05, 1, 3, Sides::kOne), std::invalid_argument);
}
