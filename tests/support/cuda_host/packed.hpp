#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// The functions of the toolkit for two numbers of 16 bits in a word, and those for one of 32 that
// take more than one step: its headers have them for nvcc alone. One for each that a kernel calls.
// And what PTX does with two numbers of 16 bits in floating point.

namespace rackproof::cuda_host {

/// Does `operation` with the halves of three words, each a number with a sign.
template <class Operation>
[[gnu::no_sanitize_thread]] inline std::uint32_t each_half(std::uint32_t a, std::uint32_t b,
                                                           std::uint32_t c, Operation operation) {
  const auto half = [&](unsigned shift) {
    const int made =
        operation(static_cast<std::int16_t>(a >> shift), static_cast<std::int16_t>(b >> shift),
                  static_cast<std::int16_t>(c >> shift));
    return static_cast<std::uint32_t>(static_cast<std::uint16_t>(made)) << shift;
  };
  return half(16) | half(0);
}

/// What PTX calls prmt.
[[gnu::no_sanitize_thread]] inline std::uint32_t permute_bytes(std::uint32_t low,
                                                               std::uint32_t high,
                                                               std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{high} << 32U | low;
  std::uint32_t made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t name = selector >> (4 * i) & 0xFU;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (name & 7U))) & 0xFFU;
    if ((name & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xFFU : 0;
    made |= byte << (8 * i);
  }
  return made;
}

/// What a half stands for.
[[gnu::no_sanitize_thread]] inline double number_of_half(std::uint32_t half) {
  const int exponent = static_cast<int>(half >> 10U & 0x1FU);
  const int fraction = static_cast<int>(half & 0x3FFU);
  double size = std::ldexp(exponent == 0 ? fraction : 1024 + fraction, std::max(exponent, 1) - 25);
  if (exponent == 31) size = fraction == 0 ? HUGE_VAL : NAN;
  return (half & 0x8000U) != 0 ? -size : size;
}

/// The half that is the nearest to a number, and even where two are.
[[gnu::no_sanitize_thread]] inline std::uint32_t nearest_half(double number) {
  const std::uint32_t sign = std::signbit(number) ? 0x8000U : 0;
  if (std::isnan(number)) return 0x7FFFU;
  if (std::fabs(number) >= 65520) return sign | 0x7C00U;
  const double units = std::ldexp(std::fabs(number), 24);  // of the smallest half
  const int coarser = units < 2048 ? 0 : std::ilogb(units) - 10;
  // A fraction that is rounded up to 2048 is the next exponent's first.
  const auto fraction = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(units, -coarser)));
  return sign | ((static_cast<std::uint32_t>(coarser) << 10U) + fraction);
}

/// Whether a half is so small that its bits, but for the sign, are an integer times the smallest.
[[gnu::no_sanitize_thread]] inline bool is_integer(std::uint32_t half) {
  return (half & 0x7FFFU) < 0x800U;
}
[[gnu::no_sanitize_thread]] inline int integer_of(std::uint32_t half) {
  const int size = static_cast<int>(half & 0x7FFFU);
  return (half & 0x8000U) != 0 ? -size : size;
}

/// Does `operation` with the halves of two words, each a number in floating point. Most that
/// kernels compute with are small, and are computed without floating point.
template <class Operation>
[[gnu::no_sanitize_thread]] inline std::uint32_t each_float(std::uint32_t a, std::uint32_t b,
                                                            Operation operation) {
  const auto half = [&](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
    if (is_integer(x) && is_integer(y)) {
      const int made = operation(integer_of(x), integer_of(y));
      // Zeros with a sign are what only the other way knows.
      if (made < 0x800 && (made > 0 || (made == 0 && (x | y) < 0x8000U))) {
        return static_cast<std::uint32_t>(made);
      }
      if (made < 0 && made > -0x800) return 0x8000U | static_cast<std::uint32_t>(-made);
    }
    return nearest_half(operation(number_of_half(x), number_of_half(y)));
  };
  return half(a >> 16U, b >> 16U) << 16U | half(a & 0xFFFFU, b & 0xFFFFU);
}

// What PTX calls max.f16x2, add.rn.f16x2 and fma.rn.relu.f16x2.
[[gnu::no_sanitize_thread]] inline std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
  return each_float(a, b, [](auto x, auto y) {
    if (x == y) return std::signbit(double(x)) ? y : x;
    return x > y || std::isnan(double(y)) ? x : y;
  });
}
[[gnu::no_sanitize_thread]] inline std::uint32_t add_halves(std::uint32_t a, std::uint32_t b) {
  return each_float(a, b, [](auto x, auto y) { return x + y; });
}
[[gnu::no_sanitize_thread]] inline std::uint32_t add_halves_from_zero(std::uint32_t a,
                                                                      std::uint32_t b) {
  return each_float(a, b, [](auto x, auto y) { return x + y <= 0 ? decltype(x + y){0} : x + y; });
}

}  // namespace rackproof::cuda_host

[[gnu::no_sanitize_thread]] inline std::uint32_t __vimax3_s16x2(std::uint32_t a, std::uint32_t b,
                                                                std::uint32_t c) {
  return ::rackproof::cuda_host::each_half(a, b, c, [](int x, int y, int z) {
    return std::max({x, y, z});
  });
}

/// The larger of a + b, which loses what does not fit into 16 bits, and c.
[[gnu::no_sanitize_thread]] inline std::uint32_t __viaddmax_s16x2(std::uint32_t a, std::uint32_t b,
                                                                  std::uint32_t c) {
  return ::rackproof::cuda_host::each_half(a, b, c, [](int x, int y, int z) {
    return std::max(int{static_cast<std::int16_t>(x + y)}, z);
  });
}

[[gnu::no_sanitize_thread]] inline int __vimax3_s32(int a, int b, int c) {
  return std::max({a, b, c});
}

[[gnu::no_sanitize_thread]] inline int __viaddmax_s32(int a, int b, int c) {
  return std::max(static_cast<int>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b)),
                  c);
}
