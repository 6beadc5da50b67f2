#include "harness/stats/history.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace stats = rackproof::stats;
using stats::OwnHistory;

// Mean 100, standard deviation 1 (squares 4 of 4 degrees); t = 5 / sqrt(1.2) before the correction
// of the logarithm, which is exp(-(digamma(2) - log 2) / 2) = exp(0.1351815) = 1.1447447 for 5
// values (digamma(2) = 0.4227843).
TEST_CASE("a drop is counted in units of the own spread") {
  const double a = std::sqrt(2.0);
  const auto standing = stats::stand_in_history({{{100 - a, 100, 100, 100, 100 + a}, 95, true}});
  REQUIRE(standing.size() == 1);
  CHECK(standing[0].deficit == Approx(0.05));
  CHECK(standing[0].z == Approx(5 / std::sqrt(1.2) / 1.1447447).epsilon(1e-6));
  CHECK(standing[0].p < 0.02);
  CHECK(standing[0].p_better > 0.98);
}

TEST_CASE("where less is better a rise is the drop") {
  const std::vector<double> earlier = {100, 101, 99, 100, 101, 99};
  const auto standing = stats::stand_in_history({{earlier, 110, false}, {earlier, 110, true}});
  CHECK(standing[0].deficit == Approx(0.1));
  CHECK(standing[1].deficit == Approx(-0.1));
  CHECK(standing[0].p == Approx(standing[1].p_better));
}

TEST_CASE("equal earlier values leave the floor") {
  const auto standing = stats::stand_in_history({{{50, 50, 50, 50, 50, 50}, 49.95, true}});
  CHECK(standing[0].z < 1);
  CHECK(std::isfinite(standing[0].p));
}

TEST_CASE("false alarms against the own history stay within the error rate") {
  std::mt19937_64 random(17);
  std::normal_distribution<double> noise(100, 0.3);
  const std::size_t series = GENERATE(1U, 60U);
  const int runs = series == 1 ? 40000 : 2000;
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<OwnHistory> all(series);
    for (OwnHistory& one : all) {
      for (int i = 0; i < 5; ++i) one.earlier.push_back(noise(random));
      one.now = noise(random);
    }
    for (const auto& standing : stats::stand_in_history(all)) alarms += standing.p < 1e-3 ? 1 : 0;
  }
  const double expected = runs * static_cast<double>(series) * 1e-3;
  CHECK(alarms < expected + 5 * std::sqrt(expected));
}

TEST_CASE("histories refuse what cannot be meant") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(stats::stand_in_history({}).empty());
  CHECK_THROWS_AS(stats::stand_in_history({{{1, 1, 1, 1}, 1, true}}), std::invalid_argument);
  CHECK_THROWS_AS(stats::stand_in_history({{{1, 1, 1, 1, nan}, 1, true}}), std::invalid_argument);
  CHECK_THROWS_AS(stats::stand_in_history({{{1, 1, 1, 1, 1}, nan, true}}), std::invalid_argument);
  CHECK_THROWS_AS(stats::stand_in_history({{{1, -1, 1, -1, 0}, 1, true}}), std::invalid_argument);
}
