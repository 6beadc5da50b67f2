#include "benches/kit/product/operands.hpp"

#include <cmath>
#include <numbers>

namespace rackproof::product {
namespace {

// In (0, 1]: zero is left out, since its logarithm is taken.
double unit_interval(std::uint64_t word) {
  constexpr double kStep = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>((word >> 11U) + 1) * kStep;
}

template <class T>
void integers(std::span<T> values, std::int64_t bound, std::uint64_t seed) {
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(integer_at(bound, seed, static_cast<std::uint64_t>(i)));
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

void fill_value(std::span<double> values, double value) { same(values, value); }
void fill_value(std::span<float> values, float value) { same(values, value); }

void fill_integers(std::span<double> values, std::int64_t bound, std::uint64_t seed) {
  integers(values, bound, seed);
}
void fill_integers(std::span<float> values, std::int64_t bound, std::uint64_t seed) {
  integers(values, bound, seed);
}
void fill_normal(std::span<double> values, std::uint64_t seed) { normal(values, seed); }
void fill_normal(std::span<float> values, std::uint64_t seed) { normal(values, seed); }

}  // namespace rackproof::product
