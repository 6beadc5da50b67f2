#pragma once

#include <cmath>
#include <cstdint>

#include "benches/kit/host_device.hpp"
#include "benches/kit/product/formats.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/pattern.hpp"

/// Values for timed products, each a function of (seed, index), and how they are stored.
namespace rackproof::product {

/// A standard normal value (Box and Muller's transform), in float: all 24 bits of it are random.
RACKPROOF_HD inline float normal_float(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t word = mix(seed, index);
  const float u = static_cast<float>((word >> 40U) + 1) * (1.0F / 16777216.0F);  // in (0, 1]
  const float v = static_cast<float>(word & 0xFFFFFFU) * (1.0F / 16777216.0F);
  return sqrtf(-2.0F * logf(u)) * cosf(6.28318531F * v);
}

/// The same with all 53 bits of a double.
RACKPROOF_HD inline double normal_double(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t one = mix(seed, 2 * index);
  const std::uint64_t two = mix(seed, 2 * index + 1);
  constexpr double kStep = 1.0 / 9007199254740992.0;  // 2^-53
  const double u = static_cast<double>((one >> 11U) + 1) * kStep;
  const double v = static_cast<double>(two >> 11U) * kStep;
  return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/// The value at `index` in a pattern: kConstant is 1, kIntegers are from -4 to 4.
RACKPROOF_HD inline float value_at(Pattern pattern, std::uint64_t seed, std::uint64_t index) {
  switch (pattern) {
    case Pattern::kNormal:
      return normal_float(seed, index);
    case Pattern::kZeros:
      return 0;
    case Pattern::kConstant:
      return 1;
    case Pattern::kIntegers:
      return static_cast<float>(static_cast<int>((mix(seed, index) >> 32U) * 9 >> 32U) - 4);
  }
  return 0;
}

/// A value as a signed byte: rounded, and held within [-127, 127]. Normal values are scaled by 32
/// first, so that most of the range is used and one in 14,000 is cut off.
RACKPROOF_HD inline std::int8_t encode_int8(float value) {
  const float limited = value > 127 ? 127.0F : value < -127 ? -127.0F : value;
  return static_cast<std::int8_t>(limited < 0 ? limited - 0.5F : limited + 0.5F);
}
inline constexpr float kInt8Deviation = 32;

/// The scale of a block whose largest magnitude is given, and what its elements are multiplied by
/// before they are stored.
struct BlockScale {
  std::uint8_t bits;
  float inverse;
};

/// As the OCP Microscaling specification says (version 1.0, section 6.3): the power of two that
/// brings the largest element to the largest exponent of E4M3; what is above 448 then is cut off.
RACKPROOF_HD inline BlockScale mxfp8_scale(float largest) {
  constexpr int kLargestExponent = 8;
  int exponent = largest > 0 ? exponent_of(largest) - kLargestExponent : 0;
  exponent = exponent < -126 ? -126 : exponent;
  return {encode_e8m0(exponent), power_of_two(-exponent)};
}

/// The largest element divided by the 6 of E2M1, in E4M3; 1 where that would be 0.
RACKPROOF_HD inline BlockScale nvfp4_scale(float largest) {
  std::uint8_t bits = encode_e4m3(largest / kMostE2m1);
  if (bits == 0) bits = encode_e4m3(1);
  return {bits, 1 / decode_e4m3(bits)};
}

/// The scale 2^-shift that goes with elements stored times 2^shift.
RACKPROOF_HD inline BlockScale mxfp8_shifted(int shift) {
  return {encode_e8m0(-shift), power_of_two(shift)};
}
RACKPROOF_HD inline BlockScale nvfp4_shifted(int shift) {
  return {encode_e4m3(power_of_two(-shift)), power_of_two(shift)};
}

}  // namespace rackproof::product
