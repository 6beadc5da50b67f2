#include "harness/stats/change_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace rackproof::stats {
namespace {

enum class Noise { kNormal, kSkewed, kHeavy, kCoarse };

// Noise of standard deviation one or so; skewed as throughput is, with a tail below.
double draw(Noise noise, std::mt19937& random) {
  switch (noise) {
    case Noise::kNormal:
      return std::normal_distribution<double>()(random);
    case Noise::kSkewed:
      return (2 - std::gamma_distribution<double>(2, 1)(random)) / std::sqrt(2);
    case Noise::kHeavy:
      return std::student_t_distribution<double>(3)(random);
    case Noise::kCoarse:
      return std::round(std::normal_distribution<double>()(random));
  }
  return 0;
}

struct Made {
  std::vector<double> values;
  std::vector<std::size_t> changes;
};

// A level of 100 with noise of 1, and a change by `step` every 50 to 150 values.
Made made(std::size_t count, double step, Noise noise, std::mt19937& random) {
  Made series;
  double level = 100;
  std::size_t next = 50 + random() % 100;
  for (std::size_t i = 0; i < count; ++i) {
    if (step > 0 && i == next && i + 30 < count) {
      level *= random() % 2 == 0 ? 1 + step : 1 - step;
      series.changes.push_back(i);
      next = i + 50 + random() % 100;
    }
    series.values.push_back(level * (1 + 0.01 * draw(noise, random)));
  }
  return series;
}

// Harmonic mean of precision and recall; a point at most three values off is found.
double f1(std::size_t count, double step, Noise noise) {
  std::mt19937 random(7);
  double found = 0;
  double all = 0;
  double planted = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Made series = made(count, step, noise, random);
    const auto points = change_points(series.values);
    all += static_cast<double>(points.size());
    planted += static_cast<double>(series.changes.size());
    for (const std::size_t at : series.changes) {
      for (const ChangePoint& point : points) {
        if (std::max(point.at, at) - std::min(point.at, at) > 3) continue;
        ++found;
        break;
      }
    }
  }
  return 2 * found / (all + planted);
}

}  // namespace

TEST_CASE("series without a change have no point, whatever their noise") {
  for (const Noise noise : {Noise::kNormal, Noise::kSkewed, Noise::kHeavy, Noise::kCoarse}) {
    std::mt19937 random(11);
    std::size_t points = 0;
    for (int trial = 0; trial < 200; ++trial) {
      points += change_points(made(1000, 0, noise, random).values).size();
    }
    CHECK(points <= 2);
  }
}

TEST_CASE("changes of three times the noise are found where they are") {
  CHECK(f1(1000, 0.03, Noise::kNormal) >= 0.98);
  CHECK(f1(1000, 0.03, Noise::kSkewed) >= 0.98);
  CHECK(f1(5000, 0.03, Noise::kNormal) >= 0.98);
}

TEST_CASE("a point tells the levels on both sides of it") {
  std::vector<double> values;
  for (int i = 0; i < 90; ++i) {
    values.push_back((i < 30 ? 10 : i < 60 ? 20 : 5) + 0.1 * std::sin(i * 12.9898));
  }
  const auto points = change_points(values);
  REQUIRE(points.size() == 2);
  CHECK(points[0].at == 30);
  CHECK(points[0].before == Approx(10).margin(0.1));
  CHECK(points[0].after == Approx(20).margin(0.1));
  CHECK(points[1].at == 60);
  CHECK(points[1].after == Approx(5).margin(0.1));
  CHECK(points[1].p < 1e-6);
}

TEST_CASE("a spike is no change of level") {
  std::mt19937 random(3);
  Made series = made(200, 0, Noise::kNormal, random);
  series.values[100] = 1;
  series.values[101] = 2;
  CHECK(change_points(series.values).empty());
}

TEST_CASE("series that stand still have points only where they move") {
  std::vector<double> values(60, 5.0);
  CHECK(change_points(values).empty());
  for (std::size_t i = 40; i < values.size(); ++i) values[i] = 6;
  const auto points = change_points(values);
  REQUIRE(points.size() == 1);
  CHECK(points[0].at == 40);
  CHECK(change_points(std::vector<double>(60, 0.0)).empty());
}

TEST_CASE("a series that is too short has no point, and one that is none is refused") {
  CHECK(change_points({}).empty());
  CHECK(change_points({1, 1, 1, 1, 9, 9, 9, 9}).empty());
  std::vector<double> values(20, 1.0);
  values[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(change_points(values), std::invalid_argument);
  CHECK_THROWS_AS(change_points(std::vector<double>(20, 1.0), 0), std::invalid_argument);
}

}  // namespace rackproof::stats
