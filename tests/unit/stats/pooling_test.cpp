#include "harness/stats/pooling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace stats = rackproof::stats;
using stats::Estimate;

TEST_CASE("nothing and one estimate stay as they are") {
  CHECK(stats::pooled({}).empty());
  const auto one = stats::pooled({{3, 0.5}});
  REQUIRE(one.size() == 1);
  CHECK(one[0].value == 3);
  CHECK(one[0].variance == 0.5);
}

// By hand: two estimates 1 and 3 with variance 1. Weights 1, mean 2, excess 2, freedom 1, scale
// 2 - 2/2 = 1: between = (2 - 1) + sqrt(2) = 2.41421; own share 2.41421 / 3.41421 = 0.707107; the
// mean has variance 3.41421 / 2.
TEST_CASE("two estimates are drawn towards their mean") {
  const auto both = stats::pooled({{1, 1}, {3, 1}});
  CHECK(both[0].value == Approx(2 - 0.7071067812));
  CHECK(both[1].value == Approx(2 + 0.7071067812));
  const double rest = 1 - 0.7071067812;
  CHECK(both[0].variance == Approx(0.7071067812 + rest * rest * 3.4142135624 / 2));
}

TEST_CASE("many alike are known better than each, and unlike ones keep their own") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 1);
  std::vector<Estimate> alike;
  std::vector<Estimate> unlike;
  for (int i = 0; i < 60; ++i) {
    alike.push_back({noise(random), 1});
    unlike.push_back({noise(random) + (i % 2 == 0 ? 20 : -20), 1});
  }
  double alike_error = 0;
  const auto drawn = stats::pooled(alike);
  for (const Estimate& one : drawn) alike_error += one.value * one.value / 60;
  CHECK(alike_error < 0.3);
  CHECK(drawn[0].variance < 0.4);
  const auto kept = stats::pooled(unlike);
  CHECK(std::abs(kept[0].value - unlike[0].value) < 0.1);
  CHECK(kept[0].variance > 0.98);
}

TEST_CASE("what is known well is drawn less") {
  const auto drawn = stats::pooled({{0, 0.01}, {0, 0.01}, {1, 0.01}, {1, 4}});
  CHECK(drawn[2].value > drawn[3].value);
}
