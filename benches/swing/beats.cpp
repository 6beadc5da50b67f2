#include "benches/swing/beats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace rackproof::swing {

std::vector<Pulse> square_wave(double start, double frequency, double duty, std::int64_t beats,
                               double phase) {
  std::vector<Pulse> pulses;
  for (std::int64_t beat = 0; beat < beats; ++beat) {
    const double on = start + (static_cast<double>(beat) + phase) / frequency;
    pulses.push_back({on, on + duty / frequency});
  }
  return pulses;
}

std::vector<Pulse> ramp(double start, double seconds, double slot) {
  std::vector<Pulse> pulses;
  const auto slots = std::max<std::int64_t>(1, std::llround(seconds / slot));
  const auto add = [&](std::int64_t index, double share) {
    const double on = start + static_cast<double>(index) * slot;
    pulses.push_back({on, on + share * slot});
  };
  const auto share = [&](std::int64_t index) {
    return (static_cast<double>(index) + 0.5) / static_cast<double>(slots);
  };
  for (std::int64_t i = 0; i < slots; ++i) add(i, share(i));
  for (std::int64_t i = 0; i < slots; ++i) add(slots + i, 1);
  for (std::int64_t i = 0; i < slots; ++i) add(2 * slots + i, share(slots - 1 - i));
  return pulses;
}

std::int64_t beats_in(double seconds, double frequency) {
  constexpr std::int64_t kLeast = 3;
  return std::max(kLeast, static_cast<std::int64_t>(std::llround(seconds * frequency)));
}

std::vector<std::int64_t> stages(double fraction, std::int64_t ranks) {
  std::vector<std::int64_t> all;
  auto swinging =
      std::max<std::int64_t>(1, std::llround(std::ceil(fraction * static_cast<double>(ranks))));
  for (; swinging < ranks; swinging *= 2) all.push_back(swinging);
  all.push_back(ranks);
  return all;
}

std::vector<double> spread_phases(std::int64_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  // The standard leaves open how shuffle draws; every rank has to draw the same.
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  constexpr double kTwoTo53 = 9007199254740992.0;
  const double first = static_cast<double>(random() >> 11U) / kTwoTo53;
  std::vector<double> phases;
  for (const std::int64_t place : order) {
    const double phase = first + static_cast<double>(place) / static_cast<double>(ranks);
    phases.push_back(phase < 1 ? phase : phase - 1);
  }
  return phases;
}

}  // namespace rackproof::swing
