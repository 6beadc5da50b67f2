#pragma once

#include <cstdint>

#include "benches/kit/host_device.hpp"

namespace rackproof::product {

/// A well-mixed 64-bit word for each (seed, index): SplitMix64's output function on a Weyl
/// sequence. For a fixed index it is a bijection of the seed.
RACKPROOF_HD inline std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace rackproof::product
