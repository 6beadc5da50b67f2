#pragma once

#include <cstdint>
#include <span>

#include "benches/kit/product/exact_bound.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/seed.hpp"

namespace rackproof::product {

/// The integer that fill_integers draws for a position.
inline std::int64_t integer_at(std::int64_t bound, std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t choices = 2 * static_cast<std::uint64_t>(bound) + 1;
  const std::uint64_t high = mix(seed, index) >> 32U;
  return static_cast<std::int64_t>((high * choices) >> 32U) - bound;
}

/// Fills with integers drawn uniformly from [-bound, bound], bound below 2^31. What is drawn
/// depends on the seed and the position alone, not on the number of threads.
void fill_integers(std::span<double> values, std::int64_t bound, std::uint64_t seed);
void fill_integers(std::span<float> values, std::int64_t bound, std::uint64_t seed);

/// Fills with standard normal values (Box and Muller's transform), in the same manner.
void fill_normal(std::span<double> values, std::uint64_t seed);
void fill_normal(std::span<float> values, std::uint64_t seed);

/// Writes one value everywhere, each thread where it will work later.
void fill_value(std::span<double> values, double value);
void fill_value(std::span<float> values, float value);

}  // namespace rackproof::product
