#pragma once

#include <cstdint>
#include <span>

#include "benches/kit/product/exact_bound.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/seed.hpp"

namespace rackproof::product {

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
