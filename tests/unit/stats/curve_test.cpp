#include "harness/stats/curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace stats = rackproof::stats;

namespace {

constexpr double kMebi = 1 << 20;

stats::BusPoint point_of(const stats::BusCurve& curve, double bytes, double ranks) {
  return {bytes, ranks, curve.bytes_per_second(bytes, ranks)};
}

}  // namespace

TEST_CASE("a curve through figures that lie on one is that one") {
  const stats::BusCurve truth{30e-6, 0, 1 / 480e9};
  std::vector<stats::BusPoint> points;
  for (const double bytes : {1 * kMebi, 16 * kMebi, 256 * kMebi, 8192 * kMebi}) {
    points.push_back(point_of(truth, bytes, 8));
  }
  const auto curve = stats::fit_bus_curve(points);
  REQUIRE(curve);
  CHECK(curve->latency_seconds == Approx(30e-6));
  CHECK(curve->per_doubling_seconds == 0);
  CHECK(1 / curve->seconds_per_byte == Approx(480e9));
  CHECK(stats::largest_miss(*curve, points) < 1e-9);
  CHECK(curve->bytes_per_second(64 * kMebi, 8) == Approx(truth.bytes_per_second(64 * kMebi, 8)));
}

TEST_CASE("several numbers of ranks give the latency of a doubling") {
  const stats::BusCurve truth{5e-6, 4e-6, 1 / 45e9};
  std::vector<stats::BusPoint> points;
  for (const double ranks : {8.0, 16.0, 64.0}) {
    for (const double bytes : {1 * kMebi, 32 * kMebi, 1024 * kMebi}) {
      points.push_back(point_of(truth, bytes, ranks));
    }
  }
  const auto curve = stats::fit_bus_curve(points);
  REQUIRE(curve);
  CHECK(curve->latency_seconds == Approx(5e-6).epsilon(1e-6));
  CHECK(curve->per_doubling_seconds == Approx(4e-6).epsilon(1e-6));
  CHECK(curve->bytes_per_second(4 * kMebi, 32) ==
        Approx(truth.bytes_per_second(4 * kMebi, 32)).epsilon(1e-6));
}

TEST_CASE("no term of a curve is negative") {
  // Faster in proportion at small sizes: a straight line would start below zero.
  const std::vector<stats::BusPoint> points = {
      {1 * kMebi, 8, 500e9}, {64 * kMebi, 8, 450e9}, {1024 * kMebi, 8, 440e9}};
  const auto curve = stats::fit_bus_curve(points);
  REQUIRE(curve);
  CHECK(curve->latency_seconds == 0);
  CHECK(1 / curve->seconds_per_byte > 440e9);
  CHECK(1 / curve->seconds_per_byte < 500e9);
  CHECK(stats::largest_miss(*curve, points) > 0.02);
}

TEST_CASE("what cannot be fitted has no curve") {
  CHECK_FALSE(stats::fit_bus_curve({}));
  CHECK_FALSE(stats::fit_bus_curve({{1, 8, 1e9}, {2, 8, 2e9}}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    CHECK_FALSE(stats::fit_bus_curve({{1e6, 8, 1e9}, {2e6, 8, 2e9}, {3e6, 8, bad}}));
    CHECK_FALSE(stats::fit_bus_curve({{1e6, 8, 1e9}, {2e6, 8, 2e9}, {bad, 8, 3e9}}));
  }
  CHECK_FALSE(stats::fit_bus_curve({{1e6, 1, 1e9}, {2e6, 8, 2e9}, {3e6, 8, 3e9}}));
}
