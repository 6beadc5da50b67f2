#pragma once

#include <cstdint>
#include <vector>

#include "benches/kit/host_device.hpp"

namespace rackproof::copy {

/// A ring of lines: the first word of each holds the place (in words) of the next, in a random
/// order that no prefetch can know. Small enough for the address translation of any device to hold
/// it, so that what is measured is the way to the memory.
inline constexpr std::int64_t kRingBytes = 2 * 1024 * 1024;
inline constexpr std::int64_t kLineWords = 16;  ///< 128 B
inline constexpr std::int64_t kRingWords = kRingBytes / 8;

/// Steps of one sample: less than there are lines, so that none is read twice.
inline constexpr std::int64_t kSteps = 10'000;

/// Where a walk ended, and the sum of the places it came to: both depend on every step.
struct Walk {
  std::uint64_t place = 0;
  std::uint64_t sum = 0;

  bool operator==(const Walk&) const = default;
};

/// One cycle through all lines (Sattolo's shuffle).
std::vector<std::uint64_t> make_ring(std::uint64_t seed);

/// `steps` steps through `ring` from `start`. On the device `Word` is volatile, so that each step
/// goes to the memory.
template <class Word>
RACKPROOF_HD Walk walk(const Word* ring, std::uint64_t start, std::int64_t steps) {
  Walk out{start, 0};
  for (std::int64_t i = 0; i < steps; ++i) {
    out.place = ring[out.place];
    out.sum += out.place;
  }
  return out;
}

}  // namespace rackproof::copy
