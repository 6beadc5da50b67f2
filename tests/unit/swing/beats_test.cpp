#include "benches/swing/beats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "benches/swing/spectrum.hpp"

namespace rackproof::swing {

TEST_CASE("pulses of a square wave are a period apart and last its duty") {
  const auto pulses = square_wave(100, 2, 0.25, 4, 0.5);
  REQUIRE(pulses.size() == 4);
  CHECK(pulses[0].on == Approx(100.25));
  CHECK(pulses[0].off == Approx(100.375));
  CHECK(pulses[3].on == Approx(101.75));
  // No error adds up over many beats.
  const auto many = square_wave(0, 20, 0.5, 72001, 0);
  CHECK(many.back().on == Approx(3600).epsilon(1e-14));
}

TEST_CASE("a ramp rises, stays and falls in slots") {
  const auto pulses = ramp(10, 1, 0.25);
  REQUIRE(pulses.size() == 12);
  const auto share = [&](std::size_t slot) { return (pulses[slot].off - pulses[slot].on) / 0.25; };
  CHECK(share(0) == Approx(0.125));
  CHECK(share(3) == Approx(0.875));
  CHECK(share(4) == Approx(1));
  CHECK(share(7) == Approx(1));
  CHECK(share(8) == Approx(0.875));
  CHECK(share(11) == Approx(0.125));
  CHECK(pulses[11].on == Approx(12.75));
}

TEST_CASE("a run has three beats at least") {
  CHECK(beats_in(60, 20) == 1200);
  CHECK(beats_in(60, 0.2) == 12);
  CHECK(beats_in(1, 0.2) == 3);
}

TEST_CASE("ranks join by doubling, and all of them in the end") {
  CHECK(stages(1, 4) == std::vector<std::int64_t>{4});
  CHECK(stages(0.25, 16) == std::vector<std::int64_t>{4, 8, 16});
  CHECK(stages(0.1, 72) == std::vector<std::int64_t>{8, 16, 32, 64, 72});
  CHECK(stages(0.0001, 3) == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("spread phases have no resultant, and each seed another order") {
  for (const std::int64_t ranks : {2, 3, 4, 7, 72}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto phases = spread_phases(ranks, seed);
      REQUIRE(phases.size() == static_cast<std::size_t>(ranks));
      std::vector<double> angles;
      for (const double phase : phases) {
        CHECK(phase >= 0);
        CHECK(phase < 1);
        angles.push_back(2 * std::numbers::pi * phase);
      }
      CHECK(coherence(angles) < 1e-9);
      CHECK(phases == spread_phases(ranks, seed));
    }
  }
  CHECK(spread_phases(72, 1) != spread_phases(72, 2));
}

}  // namespace rackproof::swing
