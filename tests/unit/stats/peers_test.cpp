#include "harness/stats/peers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace stats = rackproof::stats;
using stats::LikeSet;

namespace {

LikeSet healthy(std::size_t n, std::uint64_t seed, double spread = 0.01) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, spread);
  LikeSet set;
  for (std::size_t i = 0; i < n; ++i) set.values.push_back(500 * noise(random));
  return set;
}

}  // namespace

TEST_CASE("a slow one has a small p, a fast one a small p on the better side") {
  LikeSet set = healthy(200, 1);
  set.values[3] *= 0.9;
  set.values[7] *= 1.1;
  const auto standings = stats::stand_among_peers({set});
  const auto& each = standings.at(0).each;
  CHECK(standings[0].centre == Approx(500).epsilon(0.005));
  CHECK(each[3].deficit == Approx(0.1).margin(0.04));
  CHECK(each[3].z > 5);
  CHECK(each[3].p < 1e-6);
  CHECK(each[7].p_better < 1e-6);
  CHECK(each[7].p == 1);
  set.more_is_better = false;
  const auto times = stats::stand_among_peers({set});
  CHECK(times[0].each[7].p < 1e-6);
  CHECK(times[0].each[3].p_better < 1e-6);
}

TEST_CASE("units and order do not matter") {
  LikeSet set = healthy(40, 2);
  set.values[5] *= 0.95;
  LikeSet scaled = set;
  for (double& value : scaled.values) value *= 1e9;
  std::reverse(scaled.values.begin(), scaled.values.end());
  const double p = stats::stand_among_peers({set})[0].each[5].p;
  CHECK(stats::stand_among_peers({scaled})[0].each[34].p == Approx(p).epsilon(1e-6));
}

TEST_CASE(
    "one of four that takes ten times as long stands out whatever the other three look like") {
  LikeSet control;
  control.more_is_better = false;
  control.values = {1.0805, 1.0699, 1.0780, 1.0758};
  LikeSet set = control;
  set.values = {1.0670, 1.0667, 1.0836, 10.0769};
  const auto standings = stats::stand_among_peers({control, set});
  // Over these eight tests 0.05 asks for 0.00625.
  CHECK(standings[1].each[3].p < 0.00625);
  for (const auto& one : standings[0].each) CHECK(one.p > 0.00625);
  for (int i = 0; i < 3; ++i) CHECK(standings[1].each[static_cast<std::size_t>(i)].p > 0.00625);
}

TEST_CASE("the farther out the smaller p, also where few and skewed values say what is usual") {
  double last = 1;
  for (const double value : {1.3, 2.0, 4.0, 10.0, 100.0}) {
    LikeSet set;
    set.more_is_better = false;
    set.values = {1.0670, 1.0667, 1.0836, value};
    const double p = stats::stand_among_peers({set})[0].each[3].p;
    CHECK(p < last);
    last = p;
  }
}

TEST_CASE("a tight cluster is as wide as one part against itself") {
  LikeSet set;
  set.values.assign(16, 100);
  set.values[2] = 99.5;
  CHECK(stats::stand_among_peers({set})[0].each[2].p > 1e-3);
  set.values[2] = 95;
  CHECK(stats::stand_among_peers({set})[0].each[2].p < 1e-3);
}

TEST_CASE("a median of zero is compared in its own unit") {
  LikeSet set;
  set.more_is_better = false;
  set.values.assign(16, 0);
  set.values[4] = 12;
  const auto standings = stats::stand_among_peers({set});
  CHECK(standings[0].each[4].p < 1e-6);
  CHECK(standings[0].each[0].p == 1);
}

TEST_CASE("a long tail on the bad side is no outlier") {
  std::mt19937_64 random(4);
  std::lognormal_distribution<double> loss(0, 0.3);
  LikeSet slow_side;
  for (int i = 0; i < 5000; ++i) slow_side.values.push_back(100 - loss(random));
  LikeSet fast_side;
  for (const double value : slow_side.values) fast_side.values.push_back(200 - value);
  // The same distances: on the bad side they belong to the tail, on the good one nothing is long.
  const auto least = [](const std::vector<stats::Standing>& each) {
    double p = 1;
    for (const auto& one : each) p = std::min(p, one.p);
    return p;
  };
  CHECK(least(stats::stand_among_peers({slow_side})[0].each) > 1e-5);
  CHECK(least(stats::stand_among_peers({fast_side})[0].each) > 1e-5);
}

TEST_CASE("each of two groups is compared with its own") {
  LikeSet set = healthy(80, 5, 0.005);
  for (std::size_t i = 0; i < 20; ++i) set.values[i] *= 0.95;
  set.values[0] *= 0.93;
  set.values[40] *= 0.93;
  const auto standings = stats::stand_among_peers({set});
  REQUIRE(standings[0].split);
  CHECK(standings[0].minor_centre == Approx(475).epsilon(0.005));
  CHECK(standings[0].centre == Approx(500).epsilon(0.005));
  const auto& each = standings[0].each;
  CHECK(each[5].in_minor);
  CHECK_FALSE(each[50].in_minor);
  CHECK(each[0].p < 1e-4);
  CHECK(each[5].p > 1e-2);
  CHECK(each[50].p > 1e-2);
}

TEST_CASE("halves among sets that agree better are two groups, and no middle of nothing") {
  const std::size_t n = GENERATE(4U, 6U, 8U, 16U);
  const double noise = GENERATE(0.0005, 0.001, 0.003);
  std::vector<LikeSet> sets;
  for (std::uint64_t i = 0; i < 60; ++i) sets.push_back(healthy(n, 900 + i, noise));
  for (std::size_t i = 0; i < n / 2; ++i) sets[0].values[i] *= 0.9;
  const auto standings = stats::stand_among_peers(sets);
  REQUIRE(standings[0].split);
  CHECK(standings[0].by_group);
  CHECK(standings[0].gap == Approx(0.1).margin(0.02));
  for (std::size_t i = 0; i < n; ++i) CHECK(standings[0].each[i].in_minor == (i < n / 2));
  CHECK_FALSE(standings[1].split);
}

TEST_CASE("of two halves the worse one is the minor") {
  LikeSet set;
  set.values = {50, 50.1, 50.2, 50, 100, 100.1, 100.2, 100};
  CHECK(stats::stand_among_peers({set})[0].each[0].in_minor);
  CHECK_FALSE(stats::stand_among_peers({set})[0].each[4].in_minor);
  set.more_is_better = false;
  CHECK_FALSE(stats::stand_among_peers({set})[0].each[0].in_minor);
  CHECK(stats::stand_among_peers({set})[0].each[4].in_minor);
}

TEST_CASE("a set of its own that the others do not resemble is compared by its own spread") {
  std::vector<LikeSet> sets;
  for (std::uint64_t i = 0; i < 40; ++i) sets.push_back(healthy(6, 300 + i, 0.0001));
  sets[0].values = {100, 92, 108, 85, 115, 97};
  const auto standings = stats::stand_among_peers(sets);
  for (const auto& one : standings[0].each) CHECK(one.p > 0.001);
}

TEST_CASE("whole numbers next to each other have no gap") {
  LikeSet set;
  for (int i = 0; i < 20; ++i) set.values.push_back(i % 2 == 0 ? 7 : 8);
  const auto standings = stats::stand_among_peers({set});
  CHECK(standings[0].gap == 0);
  for (double& value : set.values) value *= 10;
  CHECK(stats::stand_among_peers({set})[0].gap > 0.1);
}

TEST_CASE("an eighth of bad parts does not hide itself") {
  LikeSet set = healthy(72, 6);
  for (std::size_t i = 0; i < 6; ++i) set.values[i] *= 0.9;
  const auto standings = stats::stand_among_peers({set});
  for (std::size_t i = 0; i < 6; ++i) CHECK(standings[0].each[i].p < 1e-4);
}

TEST_CASE("few parts in many sets are known better than in one") {
  std::vector<LikeSet> sets;
  for (std::uint64_t i = 0; i < 60; ++i) sets.push_back(healthy(8, 100 + i));
  sets[0].values[0] *= 0.9;
  CHECK(stats::stand_among_peers(sets)[0].each[0].p <
        stats::stand_among_peers({sets[0]})[0].each[0].p / 10);
}

TEST_CASE("false alarms among healthy parts stay within the error rate") {
  const std::size_t n = GENERATE(4U, 8U, 16U, 72U);
  const std::size_t sets = GENERATE(1U, 20U);
  const std::size_t runs = 300000 / (n * sets);
  std::size_t alarms = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<LikeSet> all;
    for (std::size_t i = 0; i < sets; ++i) all.push_back(healthy(n, run * sets + i + 7));
    for (const auto& standings : stats::stand_among_peers(all)) {
      for (const auto& one : standings.each) alarms += one.p < 1e-3 ? 1 : 0;
    }
  }
  const double expected = static_cast<double>(runs * n * sets) * 1e-3;
  CHECK(static_cast<double>(alarms) < expected + 5 * std::sqrt(expected));
}

TEST_CASE("sets refuse what cannot be meant") {
  CHECK(stats::stand_among_peers({}).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(stats::stand_among_peers({{{1, 2, 3}, true}}), std::invalid_argument);
  CHECK_THROWS_AS(stats::stand_among_peers({{{1, 2, 3, nan}, true}}), std::invalid_argument);
}
