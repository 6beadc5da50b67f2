#include "benches/swing/shape.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace rackproof::swing {
namespace {

// What a rank of this phase computes in the bins, in seconds.
double on_in_bins(const Shape& shape) {
  const double end = shape.from + shape.width * static_cast<double>(shape.bins);
  double on = 0;
  for (const Pulse& pulse : shape.pulses) {
    on += std::max(0.0, std::min(end, pulse.off) - std::max(shape.from, pulse.on));
  }
  return on;
}

}  // namespace

TEST_CASE("the bins of a square wave are whole beats, as full whatever the phase") {
  Run run;
  run.frequency = 2;
  run.seconds = 5;
  for (const bool in_phase : {true, false}) {
    run.in_phase = in_phase;
    for (const double phase : {0.0, 0.3, 0.75, 0.99}) {
      const Shape shape = shape_of(run, 0.5, 100, phase, true);
      CHECK(shape.pulses.size() == 10);
      CHECK(shape.from == Approx(100.5));
      CHECK(shape.bins == 9 * kBinsOfBeat);
      CHECK(shape.width * static_cast<double>(kBinsOfBeat) == Approx(0.5));
      CHECK(on_in_bins(shape) == Approx(9 * 0.25));
      CHECK(shape.pulses.back().off <= shape.end);
      CHECK(shape.pulses.front().on == Approx(in_phase ? 100 : 100 + phase / 2));
    }
  }
}

TEST_CASE("a rank that only watches has the same bins and no pulses") {
  Run run;
  run.kind = Run::Kind::kStage;
  run.frequency = 1;
  run.seconds = 4;
  const Shape shape = shape_of(run, 0.5, 0, 0, false);
  CHECK(shape.pulses.empty());
  CHECK(shape.bins == 3 * kBinsOfBeat);
  CHECK(shape.end == Approx(4));
}

TEST_CASE("the bins of a ramp are its slots") {
  Run run;
  run.kind = Run::Kind::kRamp;
  run.frequency = kRampSlots;
  run.seconds = 2;
  const Shape shape = shape_of(run, 0.5, 10, 0.3, true);
  CHECK(shape.bins == 300);
  CHECK(shape.width == Approx(0.02));
  CHECK(shape.end == Approx(16));
  CHECK(shape.pulses.back().off <= shape.end);
}

TEST_CASE("ranks look at each other every second, where no edge is") {
  Run run;
  for (const double frequency : {0.2, 0.5, 1.0, 2.0, 5.0, 20.0}) {
    run.frequency = frequency;
    const auto looks = looks_of(run, 0.5, 10, 20.5);
    CHECK(looks.back() == 20.5);
    CHECK(looks.front() < 11);
    for (std::size_t i = 1; i < looks.size(); ++i) CHECK(looks[i] - looks[i - 1] <= 1 + 1e-9);
    for (std::size_t i = 0; i + 1 < looks.size(); ++i) {
      const double halves = (looks[i] - 10) * 2 * frequency;
      CHECK(std::abs(halves - std::round(halves)) > 0.09);
    }
  }
}

TEST_CASE("the error of a ramp is its largest distance from the line") {
  const auto shares = ramp_shares(10);
  REQUIRE(shares.size() == 30);
  std::vector<double> load;
  for (const double share : shares) load.push_back(70 * share);
  CHECK(ramp_error(load).value() == Approx(0).margin(1e-12));
  load[4] += 7;
  CHECK(ramp_error(load).value() == Approx(0.1));
  // A load that jumps has the whole of the ramp for an error.
  const std::vector<double> jump(30, 5.0);
  CHECK(ramp_error(jump).value() == Approx(0.95));
  CHECK_FALSE(ramp_error(std::vector<double>(30, 0.0)));
  CHECK_FALSE(ramp_error({}));
}

}  // namespace rackproof::swing
