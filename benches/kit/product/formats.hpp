#pragma once

#include <cstdint>
#include <cstring>

#include "benches/kit/host_device.hpp"

/// The small number formats of matrix units, in plain integer arithmetic, the same on host and
/// device.
namespace rackproof::product {

/// Results that are no C++ type: their bits.
struct Bf16 {
  std::uint16_t bits;
};
struct Fp16 {
  std::uint16_t bits;
};

RACKPROOF_HD inline std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

RACKPROOF_HD inline float float_of(std::uint32_t bits) {
  float value = 0;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// 2^exponent for exponents of normal floats, -126 to 127.
RACKPROOF_HD inline float power_of_two(int exponent) {
  return float_of(static_cast<std::uint32_t>(exponent + 127) << 23U);
}

/// The exponent of the leading bit of a normal float: floor(log2 |value|); -127 for 0 and
/// subnormals.
RACKPROOF_HD inline int exponent_of(float value) {
  return static_cast<int>(bits_of(value) >> 23U & 0xFFU) - 127;
}

/// A finite float in a format of 1 sign bit, `kExponent` exponent bits (bias 2^(kExponent-1) - 1)
/// and `kMantissa` mantissa bits: rounded to nearest, ties to even, and never beyond the magnitude
/// `largest` (saturating). kExponent is 5 at most.
template <int kExponent, int kMantissa>
RACKPROOF_HD inline std::uint32_t encode_small(float value, std::uint32_t largest) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  const std::uint32_t sign = bits_of(value) >> 31U << (kExponent + kMantissa);
  const float magnitude = float_of(bits_of(value) & 0x7FFFFFFFU);
  const int exponent = exponent_of(magnitude);
  if (exponent > kBias + 2) return sign | largest;
  const int scale = exponent < 1 - kBias ? 1 - kBias : exponent;
  // In units of the last place: exact, since only the exponent changes.
  const float units = magnitude * power_of_two(kMantissa - scale);
  auto whole = static_cast<std::uint32_t>(units);
  const float rest = units - static_cast<float>(whole);
  if (rest > 0.5F || (rest == 0.5F && (whole & 1U) != 0)) ++whole;
  // A carry out of the mantissa lands in the exponent, as it should.
  std::uint32_t bits = whole;
  if (exponent >= 1 - kBias) {
    bits = (static_cast<std::uint32_t>(exponent + kBias - 1) << kMantissa) + whole;
  }
  return sign | (bits > largest ? largest : bits);
}

/// The value of such bits; exponents of all ones have no special meaning.
template <int kExponent, int kMantissa>
RACKPROOF_HD inline float decode_small(std::uint32_t bits) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  constexpr std::uint32_t kMask = (1U << kMantissa) - 1;
  const std::uint32_t exponent = bits >> kMantissa & ((1U << kExponent) - 1);
  const std::uint32_t mantissa = bits & kMask;
  const bool negative = (bits >> (kExponent + kMantissa) & 1U) != 0;
  const float magnitude = exponent == 0
                              ? static_cast<float>(mantissa) * power_of_two(1 - kBias - kMantissa)
                              : static_cast<float>(mantissa | (1U << kMantissa)) *
                                    power_of_two(static_cast<int>(exponent) - kBias - kMantissa);
  return negative ? -magnitude : magnitude;
}

inline constexpr std::uint32_t kLargestE4m3 = 0x7E;  ///< 448; 0x7F is NaN
inline constexpr std::uint32_t kLargestE2m1 = 0x7;   ///< 6
inline constexpr std::uint32_t kLargestFp16 = 0x7BFF;
inline constexpr float kMostE4m3 = 448;
inline constexpr float kMostE2m1 = 6;

RACKPROOF_HD inline std::uint8_t encode_e4m3(float value) {
  return static_cast<std::uint8_t>(encode_small<4, 3>(value, kLargestE4m3));
}
RACKPROOF_HD inline float decode_e4m3(std::uint8_t bits) { return decode_small<4, 3>(bits); }

/// Four bits.
RACKPROOF_HD inline std::uint8_t encode_e2m1(float value) {
  return static_cast<std::uint8_t>(encode_small<2, 1>(value, kLargestE2m1));
}
RACKPROOF_HD inline float decode_e2m1(std::uint8_t bits) { return decode_small<2, 1>(bits); }

RACKPROOF_HD inline Fp16 encode_fp16(float value) {
  return {static_cast<std::uint16_t>(encode_small<5, 10>(value, kLargestFp16))};
}
/// Infinity and NaN are both a NaN here: neither is a number that a product may give.
RACKPROOF_HD inline float decode_fp16(Fp16 value) {
  if ((value.bits & 0x7C00U) == 0x7C00U) return float_of(0x7FC00000U);
  return decode_small<5, 10>(value.bits);
}

/// A finite float, rounded to nearest, ties to even.
RACKPROOF_HD inline Bf16 encode_bf16(float value) {
  const std::uint32_t bits = bits_of(value);
  return {static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U)};
}
RACKPROOF_HD inline float decode_bf16(Bf16 value) {
  return float_of(static_cast<std::uint32_t>(value.bits) << 16U);
}

/// A scale of one block in E8M0: 2^exponent, exponent from -127 to 127.
RACKPROOF_HD inline std::uint8_t encode_e8m0(int exponent) {
  return static_cast<std::uint8_t>(exponent + 127);
}

/// An integer, and whether the value was one: NaN, infinities, fractions and magnitudes above 2^53
/// are not (their integer part, or 0, is given then).
struct Whole {
  std::int64_t value;
  bool whole;
};

RACKPROOF_HD inline Whole whole_of(double value) {
  constexpr double kMost = 9007199254740992.0;  // 2^53: larger integers are not all doubles
  const bool in_range = value >= -kMost && value <= kMost;  // false for a NaN
  const auto whole = static_cast<std::int64_t>(in_range ? value : 0.0);
  return {whole, in_range && static_cast<double>(whole) == value};
}
RACKPROOF_HD inline Whole whole_of(float value) { return whole_of(static_cast<double>(value)); }
RACKPROOF_HD inline Whole whole_of(Bf16 value) { return whole_of(decode_bf16(value)); }
RACKPROOF_HD inline Whole whole_of(Fp16 value) { return whole_of(decode_fp16(value)); }
RACKPROOF_HD inline Whole whole_of(std::int32_t value) { return {value, true}; }

/// NaN or infinity, by the bits.
RACKPROOF_HD inline bool not_finite(double value) { return !(value - value == 0); }
RACKPROOF_HD inline bool not_finite(float value) {
  return (bits_of(value) >> 23U & 0xFFU) == 0xFFU;
}
RACKPROOF_HD inline bool not_finite(Bf16 value) { return (value.bits & 0x7F80U) == 0x7F80U; }
RACKPROOF_HD inline bool not_finite(Fp16 value) { return (value.bits & 0x7C00U) == 0x7C00U; }
RACKPROOF_HD inline bool not_finite(std::int32_t) { return false; }

}  // namespace rackproof::product
