#include "benches/swing/shape.hpp"

#include <algorithm>
#include <cmath>

#include "benches/kit/statistics.hpp"

namespace rackproof::swing {

Shape shape_of(const Run& run, double duty, double start, double phase, bool swings) {
  Shape shape;
  if (run.kind == Run::Kind::kRamp) {
    shape.pulses = ramp(start, run.seconds, 1 / run.frequency);
    shape.from = start;
    shape.width = 1 / run.frequency;
    shape.bins = static_cast<std::int64_t>(shape.pulses.size());
    shape.end = start + static_cast<double>(shape.bins) * shape.width;
  } else {
    const double period = 1 / run.frequency;
    const std::int64_t beats = beats_in(run.seconds, run.frequency);
    shape.pulses = square_wave(start, run.frequency, duty, beats, run.in_phase ? 0 : phase);
    // With phases spread the first beat lacks what the one before it would bring, and the last
    // pulses end in the beat after the last.
    shape.from = start + period;
    shape.width = period / static_cast<double>(kBinsOfBeat);
    shape.bins = (beats - 1) * kBinsOfBeat;
    shape.end = start + static_cast<double>(run.in_phase ? beats : beats + 1) * period;
  }
  if (!swings) shape.pulses.clear();
  return shape;
}

std::vector<double> looks_of(const Run& run, double duty, double start, double end) {
  std::vector<double> looks;
  const double first = start + std::fmod((1 + duty) / (2 * run.frequency), 1.0);
  for (std::int64_t second = 0; first + static_cast<double>(second) < end; ++second) {
    looks.push_back(first + static_cast<double>(second));
  }
  looks.push_back(end);
  return looks;
}

std::vector<double> ramp_shares(std::int64_t slots) {
  std::vector<double> shares;
  for (const Pulse& pulse : ramp(0, static_cast<double>(slots), 1)) {
    shares.push_back(pulse.off - pulse.on);
  }
  return shares;
}

std::optional<double> ramp_error(const std::vector<double>& slots) {
  const std::size_t part = slots.size() / 3;
  if (part == 0) return std::nullopt;
  const auto at = [&](std::size_t index) {
    return slots.begin() + static_cast<std::ptrdiff_t>(index);
  };
  const double top = kit::median(std::vector<double>(at(part), at(2 * part)));
  if (!(top > 0)) return std::nullopt;
  const std::vector<double> shares = ramp_shares(static_cast<std::int64_t>(part));
  double error = 0;
  for (std::size_t slot = 0; slot < shares.size(); ++slot) {
    error = std::max(error, std::abs(slots[slot] / top - shares[slot]));
  }
  return error;
}

}  // namespace rackproof::swing
