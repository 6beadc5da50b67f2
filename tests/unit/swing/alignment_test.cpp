#include "benches/swing/alignment.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace rackproof::swing {
namespace {

// Exchanges with a clock that is ahead by `ahead` and gains `rate`, over ways of unlike length: the
// way there takes 2 us at least and up to 100 us more, the way back up to 900 us more.
std::vector<Exchange> exchanges_with(double ahead, double rate, double from, int count,
                                     std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> there(2e-6, 1e-4);
  std::uniform_real_distribution<double> back(2e-6, 9e-4);
  std::vector<Exchange> all;
  double now = from;
  for (int i = 0; i < count; ++i) {
    const double asked = now + there(random);
    const double answered = asked + back(random);
    all.push_back({now, asked + ahead + rate * asked, answered});
    now = answered + 1e-5;
  }
  return all;
}

}  // namespace

TEST_CASE("the shortest exchange tells an offset within half of its round trip") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto all = exchanges_with(-0.3, 0, 5, 50, seed);
    const Reading reading = shortest(all);
    CHECK(std::abs(reading.offset + 0.3) <= reading.bound + 1e-12);
    double least = 1;
    for (const Exchange& one : all) least = std::min(least, one.received - one.sent);
    CHECK(reading.bound == Approx(least / 2));
    CHECK(contradicting(all, reading) == 0);
  }
  CHECK_THROWS_AS(shortest({}), std::invalid_argument);
}

TEST_CASE("a symmetric exchange tells the offset itself") {
  const std::vector<Exchange> one{{1.0, 301.5, 2.0}};
  const Reading reading = shortest(one);
  CHECK(reading.at == 1.5);
  CHECK(reading.offset == 300);
  CHECK(reading.bound == 0.5);
}

TEST_CASE("a clock that jumps between exchanges contradicts itself, forwards and backwards") {
  for (const double jump : {0.01, -0.01}) {
    auto all = exchanges_with(0.3, 0, 5, 20, 1);
    const auto later = exchanges_with(0.3 + jump, 0, 6, 20, 2);
    all.insert(all.end(), later.begin(), later.end());
    CHECK(contradicting(all, shortest(all)) == 20);
  }
}

TEST_CASE("a line goes there and back") {
  const ClockLine line = ClockLine::through({10, 300, 1e-6}, {70, 300.003, 1e-6});
  CHECK(line.rate() == Approx(5e-5));
  CHECK(line.theirs(10) == Approx(310));
  CHECK(line.theirs(70) == Approx(370.003).epsilon(1e-12));
  for (const double common : {-3.0, 10.0, 55.5, 1000.0}) {
    CHECK(std::abs(line.common(line.theirs(common)) - common) < 1e-9);
  }
  const ClockLine same;
  CHECK(same.theirs(7.25) == 7.25);
  CHECK(same.common(7.25) == 7.25);
}

TEST_CASE("drift is foretold where bounds cannot explain it") {
  const Reading first{0, 0.1, 1e-6};
  const ClockLine drifting({60, 0.1006, 1e-6}, first);
  CHECK(drifting.theirs(120) == Approx(120.1012).epsilon(1e-12));
  // 1 us in 60 s: as good as nothing between two readings of 1 us each.
  const ClockLine steady({60, 0.100001, 1e-6}, first);
  CHECK(steady.rate() == 0);
  CHECK(ClockLine({60, 0.1006, 1e-6}, std::nullopt).rate() == 0);
}

TEST_CASE("edges on a clock of 50 ppm and 300 ms stay in step between two readings") {
  const double ahead = 0.3;
  const double rate = 5e-5;
  const Reading first = shortest(exchanges_with(ahead, rate, 0, 200, 3));
  const Reading second = shortest(exchanges_with(ahead, rate, 60, 200, 4));
  const ClockLine line = ClockLine::through(first, second);
  const double bound = std::max(first.bound, second.bound);
  for (double moment = 1; moment < 60; moment += 1) {
    const double shown = moment + ahead + rate * moment;
    CHECK(std::abs(line.common(shown) - moment) <= bound + 1e-9);
  }
}

}  // namespace rackproof::swing
