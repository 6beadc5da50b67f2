#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "benches/kit/host_device.hpp"

namespace rackproof::stream {

enum class Kernel { kCopy, kScale, kAdd, kTriad };
inline constexpr Kernel kKernels[] = {Kernel::kCopy, Kernel::kScale, Kernel::kAdd, Kernel::kTriad};
inline constexpr std::size_t kKernelCount = 4;

/// What a kernel is called in metrics.
inline const char* name_of(Kernel kernel) {
  constexpr const char* kNames[] = {"copy", "scale", "add", "triad"};
  return kNames[static_cast<std::size_t>(kernel)];
}

/// Words that a kernel is counted to move for each element: 2, 2, 3, 3. Lines that ordinary stores
/// read before they overwrite them are not counted, as in the original.
inline int words_of(Kernel kernel) {
  return kernel == Kernel::kCopy || kernel == Kernel::kScale ? 2 : 3;
}

/// The factor of scale and triad. With 2 a round of the four kernels multiplies `a` by exactly 8,
/// so every value is exact in binary floating point, with fused multiply-add or without, and the
/// answer can be compared bit by bit. (The original's 3 makes it 15, which rounds from the 14th
/// round on.)
inline constexpr int kScalar = 2;

/// Rounds that may follow one fill before the values leave the range of T.
template <class T>
inline constexpr std::int64_t kMostRounds = sizeof(T) == 8 ? 256 : 32;

/// SplitMix64 (Steele, Lea and Flood 2014): a good 64-bit mix of a counter.
RACKPROOF_HD inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Element `index` of `a` after a fill with `seed`, `b` and `c` being of the other sign: in [1, 2),
/// random, with two bits of the significand free, so that 3 * a is exact too.
template <class T>
RACKPROOF_HD inline T start_value(std::uint64_t seed, std::uint64_t index) {
  constexpr int kBits = std::numeric_limits<T>::digits - 3;
  constexpr T kStep = T(1) / static_cast<T>(std::uint64_t{1} << kBits);
  return T(1) + static_cast<T>(mix(seed + index) >> (64 - kBits)) * kStep;
}

/// What an element of array 0, 1 or 2 (a, b, c) is, in units of its start value, after `rounds` (1
/// or more) rounds of c = a; b = 2c; c = a + b; a = b + 2c: a round that began with x leaves a =
/// 8x, b = 2x and c = 3x.
template <class T>
T factor_of(int array, std::int64_t rounds) {
  constexpr int kFactors[] = {8, 2, 3};
  return std::ldexp(static_cast<T>(kFactors[array]), static_cast<int>(3 * (rounds - 1)));
}

/// Operands of the dot product: integers from 1 to 8, so that a sum of fewer than 2^47 products is
/// exact in double whatever its order, and the wanted sum can be had in integers.
template <class T>
RACKPROOF_HD inline T dot_value(std::uint64_t seed, std::uint64_t index) {
  return static_cast<T>((mix(seed ^ index) >> 61) + 1);
}

}  // namespace rackproof::stream
