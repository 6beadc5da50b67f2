#pragma once

#include <cstdint>
#include <span>

namespace rackproof::product {

/// The largest b such that a sum of `depth` products of two integers in [-b, b] is exact in a type
/// of `mantissa_bits` (24 for float, 53 for double) whatever the order of summation, with or
/// without fused multiply-add: depth * b * b <= 2^mantissa_bits. 0 when there is none.
std::int64_t exact_bound(std::int64_t depth, int mantissa_bits);

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

/// A well-mixed 64-bit word for each (seed, index): SplitMix64's output function on a Weyl
/// sequence.
std::uint64_t mix(std::uint64_t seed, std::uint64_t index);

/// A seed that no earlier run had, from the operating system.
std::uint64_t fresh_seed();

}  // namespace rackproof::product
