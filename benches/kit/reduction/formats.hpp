#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "benches/kit/host_device.hpp"

// The element types as bits: what the generators of elements.hpp need to know of each, for the host
// and for the device alike. The narrow floating types have no C++ type on the host; they are made
// and read through their bits alone.
namespace rackproof::reduction::elements {

struct Half {};
struct Bfloat16 {};
struct Float8E4M3 {};
struct Float8E5M2 {};

/// A floating format narrower than float: sign, exponent, fraction from the highest bit down.
template <class T>
struct Narrow {
  static constexpr bool kIs = false;
};
template <int kExponentBits, int kFractionBits>
struct NarrowFormat {
  static constexpr bool kIs = true;
  static constexpr int kExponent = kExponentBits;
  static constexpr int kFraction = kFractionBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
};
template <>
struct Narrow<Half> : NarrowFormat<5, 10> {};
template <>
struct Narrow<Bfloat16> : NarrowFormat<8, 7> {};
template <>
struct Narrow<Float8E4M3> : NarrowFormat<4, 3> {};
template <>
struct Narrow<Float8E5M2> : NarrowFormat<5, 2> {};

template <class T>
inline constexpr bool kFloating = std::is_floating_point_v<T> || Narrow<T>::kIs;

template <class T>
inline constexpr bool kSigned = kFloating<T> || std::is_signed_v<T>;

template <class T>
constexpr int width_of() {
  if constexpr (Narrow<T>::kIs) {
    return (1 + Narrow<T>::kExponent + Narrow<T>::kFraction) / 8;
  } else {
    return static_cast<int>(sizeof(T));
  }
}

/// Bytes of one element.
template <class T>
inline constexpr int kWidth = width_of<T>();

/// The unsigned type of that width.
template <class T>
using Bits = std::conditional_t<
    kWidth<T> == 1, std::uint8_t,
    std::conditional_t<kWidth<T> == 2, std::uint16_t,
                       std::conditional_t<kWidth<T> == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
constexpr int digits_of() {
  if constexpr (Narrow<T>::kIs) {
    return Narrow<T>::kFraction + 1;
  } else {
    return std::numeric_limits<T>::digits;
  }
}

/// Bits of magnitude: of an integer without its sign, of a significand with its leading one.
template <class T>
inline constexpr int kDigits = digits_of<T>();

/// 2^exponent, for exponents of normal floats.
template <class T>
RACKPROOF_HD constexpr T power_of_two(int exponent) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(127 + exponent) << 23);
  } else {
    return __builtin_bit_cast(T, static_cast<std::uint64_t>(1023 + exponent) << 52);
  }
}

/// The bits of +-significand x 2^exponent. The significand has at most kDigits bits, and the value
/// is zero or one that the type holds exactly, as a normal number where it is floating.
template <class T>
RACKPROOF_HD constexpr Bits<T> encode(bool negative, std::uint64_t significand, int exponent) {
  if constexpr (Narrow<T>::kIs) {
    using Format = Narrow<T>;
    const auto sign = static_cast<std::uint32_t>(negative ? 1 : 0)
                      << (Format::kExponent + Format::kFraction);
    if (significand == 0) return static_cast<Bits<T>>(sign);
    // Through float, which holds it exactly and has its leading one in a known place.
    const auto wide = __builtin_bit_cast(std::uint32_t, static_cast<float>(significand));
    const int power = static_cast<int>(wide >> 23) - 127 + exponent;
    const std::uint32_t fraction = (wide & 0x7fffff) >> (23 - Format::kFraction);
    return static_cast<Bits<T>>(
        sign | static_cast<std::uint32_t>(power + Format::kBias) << Format::kFraction | fraction);
  } else if constexpr (kFloating<T>) {
    const T magnitude = static_cast<T>(significand) * power_of_two<T>(exponent);
    return __builtin_bit_cast(Bits<T>, negative ? -magnitude : magnitude);
  } else {
    const std::uint64_t magnitude = significand << exponent;
    return static_cast<Bits<T>>(negative ? 0 - magnitude : magnitude);
  }
}

/// The value that bits stand for; exact for every type of at most 53 digits.
template <class T>
double decode(Bits<T> bits) {
  if constexpr (Narrow<T>::kIs) {
    using Format = Narrow<T>;
    constexpr int kTop = (1 << Format::kExponent) - 1;
    const int field = (bits >> Format::kFraction) & kTop;
    const int fraction = bits & ((1 << Format::kFraction) - 1);
    const bool negative = (bits >> (Format::kExponent + Format::kFraction)) != 0;
    // E4M3 has no infinity, and its one NaN is the pattern of all ones.
    constexpr bool kFinite = std::is_same_v<T, Float8E4M3>;
    constexpr int kOnes = (1 << Format::kFraction) - 1;
    double value = 0;
    if (field == kTop && (!kFinite || fraction == kOnes)) {
      value = fraction == 0 ? std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::quiet_NaN();
    } else if (field == 0) {
      value = fraction * power_of_two<double>(1 - Format::kBias - Format::kFraction);
    } else {
      value = ((1 << Format::kFraction) + fraction) *
              power_of_two<double>(field - Format::kBias - Format::kFraction);
    }
    return negative ? -value : value;
  } else {
    return static_cast<double>(__builtin_bit_cast(T, bits));
  }
}

__extension__ using Wide = unsigned __int128;

/// What an average over `ranks` is made with. Floating: the number of kDigits bits that is nearest
/// to 1 / ranks, ties to even, as significand x 2^exponent. Integers: the largest mean whose sum
/// the type can hold.
struct Mean {
  std::uint64_t significand = 0;
  int exponent = 0;
};
RACKPROOF_HD constexpr Mean nearest_reciprocal(std::uint64_t ranks, int digits) {
  // 2^(digits - 1) <= 2^shift / ranks < 2^digits, so that the quotient has exactly so many bits.
  int log = 0;
  while ((ranks >> log) > 1) ++log;
  if ((std::uint64_t{1} << log) < ranks) ++log;
  const int shift = digits - 1 + log;
  const Wide whole = Wide{1} << shift;
  auto quotient = static_cast<std::uint64_t>(whole / ranks);
  const auto rest = static_cast<std::uint64_t>(whole % ranks);
  if (2 * rest > ranks || (2 * rest == ranks && quotient % 2 == 1)) ++quotient;
  if (quotient >> digits != 0) return {quotient / 2, 1 - shift};
  return {quotient, -shift};
}

template <class T>
RACKPROOF_HD constexpr Mean mean_over(std::uint64_t ranks) {
  if constexpr (!kFloating<T>) {
    return {(~std::uint64_t{0} >> (64 - kDigits<T>)) / ranks, 0};
  } else {
    return nearest_reciprocal(ranks, kDigits<T>);
  }
}

}  // namespace rackproof::reduction::elements
