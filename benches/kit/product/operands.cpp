#include "benches/kit/product/operands.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace rackproof::product {
namespace {

// In (0, 1]: zero is left out, since its logarithm is taken.
double unit_interval(std::uint64_t word) {
  constexpr double kStep = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>((word >> 11U) + 1) * kStep;
}

template <class T>
void integers(std::span<T> values, std::int64_t bound, std::uint64_t seed) {
  const std::uint64_t choices = 2 * static_cast<std::uint64_t>(bound) + 1;
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t high = mix(seed, static_cast<std::uint64_t>(i)) >> 32U;
    const auto drawn = static_cast<std::int64_t>((high * choices) >> 32U);
    values[i] = static_cast<T>(drawn - bound);
  }
}

template <class T>
void normal(std::span<T> values, std::uint64_t seed) {
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; i += 2) {
    const auto index = static_cast<std::uint64_t>(i);
    const double radius = std::sqrt(-2 * std::log(unit_interval(mix(seed, index))));
    const double angle = 2 * std::numbers::pi * unit_interval(mix(seed, index + 1));
    values[i] = static_cast<T>(radius * std::cos(angle));
    if (i + 1 < count) values[i + 1] = static_cast<T>(radius * std::sin(angle));
  }
}

template <class T>
void same(std::span<T> values, T value) {
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) values[i] = value;
}

}  // namespace

std::int64_t exact_bound(std::int64_t depth, int mantissa_bits) {
  const std::int64_t room = (std::int64_t{1} << mantissa_bits) / std::max<std::int64_t>(depth, 1);
  auto bound = static_cast<std::int64_t>(std::sqrt(static_cast<double>(room)));
  while (bound * bound > room) --bound;
  while ((bound + 1) * (bound + 1) <= room) ++bound;
  return bound;
}

void fill_value(std::span<double> values, double value) { same(values, value); }
void fill_value(std::span<float> values, float value) { same(values, value); }

std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

void fill_integers(std::span<double> values, std::int64_t bound, std::uint64_t seed) {
  integers(values, bound, seed);
}
void fill_integers(std::span<float> values, std::int64_t bound, std::uint64_t seed) {
  integers(values, bound, seed);
}
void fill_normal(std::span<double> values, std::uint64_t seed) { normal(values, seed); }
void fill_normal(std::span<float> values, std::uint64_t seed) { normal(values, seed); }

}  // namespace rackproof::product
