#include "harness/stats/margin.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "harness/stats/robust.hpp"

namespace stats = rackproof::stats;

namespace {

std::vector<double> slow_way(const std::vector<double>& values) {
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> others = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(stats::median(others));
  }
  return out;
}

/// How often a suspect of this true deficit is rejected at 0.05 against a margin of 5 %.
double rejected(double deficit, int trials, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.01);
  const auto value = [&](double level) { return level * std::exp(noise(random)); };
  int count = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> first;
    for (int i = 0; i < 7; ++i) first.push_back(value(100));
    stats::Retest set;
    set.peers = first.size();
    for (int i = 0; i < 3; ++i) {
      set.controls.push_back(
          {first[static_cast<std::size_t>(i)], {value(100), value(100), value(100)}});
    }
    const double slow = 100 * (1 - deficit);
    set.suspects = {{value(slow), {value(slow), value(slow), value(slow)}}};
    if (stats::confirm(set, 0, stats::median(first), 0.05)->p < 0.05) ++count;
  }
  return static_cast<double>(count) / trials;
}

}  // namespace

TEST_CASE("parts are a group no longer when fewer than two are behind when measured again") {
  CHECK(stats::is_still_a_group(2, {}, 0.03));
  CHECK(stats::is_still_a_group(2, {0.05, 0.04}, 0.03));
  CHECK(stats::is_still_a_group(3, {0.05, 0.01}, 0.03));  // the third was not measured
  CHECK_FALSE(stats::is_still_a_group(2, {0.05, 0.01}, 0.03));
  CHECK_FALSE(stats::is_still_a_group(3, {0, 0.029, -0.01}, 0.03));
}

TEST_CASE("the median of the others is that without the value") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> pick(1, 9);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values(2 + static_cast<std::size_t>(trial) % 9);
    for (double& value : values) value = pick(random);
    CHECK(stats::medians_of_others(values) == slow_way(values));
  }
  CHECK_THROWS_AS(stats::medians_of_others({1}), std::invalid_argument);
  CHECK_THROWS_AS(stats::medians_of_others({1, std::nan("")}), std::invalid_argument);
}

TEST_CASE("a shortfall is on the bad side, as a share of the reference") {
  CHECK(stats::shortfall(92, 100, true) == Approx(0.08));
  CHECK(stats::shortfall(108, 100, false) == Approx(0.08));
  CHECK(stats::shortfall(108, 100, true) == Approx(-0.08));
}

TEST_CASE("a part at the margin is rejected at most as often as the level says") {
  CHECK(rejected(0.05, 4000, 1) < 0.05 + 0.011);
  CHECK(rejected(0.04, 2000, 2) < 0.02);
}

TEST_CASE("a part beyond the margin is found") {
  CHECK(rejected(0.08, 1000, 3) > 0.5);
  CHECK(rejected(0.12, 1000, 4) > 0.98);
}

TEST_CASE("what changed for the controls is taken off the reference") {
  stats::Retest set;
  set.peers = 7;
  set.controls = {{100, {90, 90.1, 89.9}}, {100, {90, 90, 90}}};
  set.suspects = {{90, {81, 81.1, 80.9}}};
  CHECK(stats::confirm(set, 0, 100, 0.05)->deficit == Approx(0.1).epsilon(0.01));
  set.suspects = {{90, {88, 88.1, 87.9}}};
  CHECK(stats::confirm(set, 0, 100, 0.05)->deficit == Approx(0.0222).epsilon(0.05));
  CHECK(stats::confirm(set, 0, 100, 0.05)->p > 0.5);
}

TEST_CASE("where less is better the margin lies above") {
  stats::Retest set;
  set.more_is_better = false;
  set.peers = 7;
  set.controls = {{100, {100, 100.1, 99.9}}};
  set.suspects = {{110, {110, 110.1, 109.9}}, {104, {104, 104.1, 103.9}}};
  CHECK(stats::confirm(set, 0, 100, 0.05)->p < 0.001);
  CHECK(stats::confirm(set, 1, 100, 0.05)->p > 0.5);
}

TEST_CASE("one later value says nothing of its error, and equal ones have some all the same") {
  stats::Retest set;
  set.peers = 7;
  set.controls = {{100, {100, 100}}};
  set.suspects = {{90, {90}}, {90, {94.9, 94.9}}};
  CHECK_FALSE(stats::confirm(set, 0, 100, 0.05));
  CHECK(stats::confirm(set, 1, 100, 0.05)->p > 0.2);
}
