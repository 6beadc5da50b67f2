#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

// The generators behind Pattern: one element of an input, and one of the result, for each type and
// reduction. What makes each exact is said in verifiable.hpp.
namespace rackproof::collectives::elements {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr std::uint64_t hash(std::uint64_t key, std::int64_t index) {
  return scramble(key + static_cast<std::uint64_t>(index) * kGolden);
}

__extension__ using Wide = unsigned __int128;

// A number in [0, range), range > 0; 0 for range 0.
constexpr std::uint64_t scaled(std::uint64_t random, std::uint64_t range) {
  return static_cast<std::uint64_t>((static_cast<Wide>(random) * range) >> 64);
}

// One key for what a rank has alone (with that of the rank before it, where there is a chain), one
// for what all ranks agree on.
struct Keys {
  Keys(std::uint64_t seed, int rank_of, int ranks_of)
      : rank(rank_of),
        ranks(ranks_of),
        own(of(seed, rank_of)),
        before(of(seed, rank_of - 1)),
        last(of(seed, ranks_of - 1)),
        shared(of(seed, -2)) {}

  static std::uint64_t of(std::uint64_t seed, int rank) {
    return scramble(seed ^ scramble(static_cast<std::uint64_t>(rank + 3) * kGolden));
  }

  int rank;
  int ranks;
  std::uint64_t own;
  std::uint64_t before;
  std::uint64_t last;
  std::uint64_t shared;
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T>
constexpr int kDigits = std::numeric_limits<T>::digits;

template <class T>
struct Moved {
  static Bits<T> input(const Keys& keys, std::int64_t i) {
    return static_cast<Bits<T>>(hash(keys.own, i) >> 7);
  }
};

template <class T>
Bits<T> with_sign(T magnitude, bool negative) {
  // The magnitudes of signed integers stay below the largest value: their negatives exist.
  return std::bit_cast<Bits<T>>(negative ? static_cast<T>(-magnitude) : magnitude);
}

template <class T>
struct Sum {
  static std::uint64_t significand(std::uint64_t random) {
    return (random & (~0ULL >> (64 - kDigits<T>))) | 1;
  }

  // For floating point a power of two from 2^-8 to 2^7 that all ranks share.
  static T scale(std::uint64_t random) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto exponent = static_cast<int>((random >> 56) & 15) - 8;
      return exponent < 0 ? T{1} / static_cast<T>(1 << -exponent) : static_cast<T>(1 << exponent);
    } else {
      return 1;
    }
  }

  static bool negative(std::uint64_t random) { return std::is_signed_v<T> && (random >> 63) != 0; }

  // Bits start, start + n, start + 2n, ... of the significand belong to a rank; where its share
  // starts changes from element to element.
  static std::uint64_t share(const Keys& keys, std::uint64_t random, std::int64_t i) {
    const auto n = static_cast<std::uint64_t>(keys.ranks);
    const std::uint64_t turn = scaled(scramble(random + static_cast<std::uint64_t>(i)), n);
    std::uint64_t start = static_cast<std::uint64_t>(keys.rank) + turn;
    if (start >= n) start -= n;
    std::uint64_t mask = 0;
    for (std::uint64_t bit = start; bit < kDigits<T>; bit += n) mask |= 1ULL << bit;
    return mask;
  }

  static Bits<T> of(std::uint64_t bits, std::uint64_t random) {
    return with_sign<T>(static_cast<T>(static_cast<T>(bits) * scale(random)), negative(random));
  }

  static Bits<T> input(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    return of(significand(random) & share(keys, random, i), random);
  }
  static Bits<T> result(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    return of(significand(random), random);
  }
};

template <class T>
struct Prod {
  static constexpr bool kFloating = std::is_floating_point_v<T>;

  // Ranks counted from the one with the significand: so many after it have a factor that is not 1.
  // For floating point these are 2, 1/2, 2, ..., for integers 2 as long as the product fits.
  static constexpr std::uint64_t kFactors = kFloating ? 64 : kDigits<T> / 2;

  static bool negative(std::uint64_t key, std::int64_t i) {
    return std::is_signed_v<T> && (hash(key, i) & 1) != 0;
  }

  static T significand(std::uint64_t random) {
    if constexpr (kFloating) {
      constexpr std::uint64_t kLead = 1ULL << (kDigits<T> - 1);
      return static_cast<T>((random & (kLead - 1)) | kLead) / static_cast<T>(kLead);
    } else {
      return static_cast<T>((random & (~0ULL >> (64 - (kDigits<T> - kFactors)))) | 1);
    }
  }

  static T factor(std::uint64_t place) {
    if (place > kFactors) return 1;
    if constexpr (kFloating) {
      return place % 2 == 1 ? T{2} : T{0.5};
    } else {
      return 2;
    }
  }

  static T all_factors(std::uint64_t others) {
    const std::uint64_t factors = others < kFactors ? others : kFactors;
    if constexpr (kFloating) {
      return factors % 2 == 1 ? T{2} : T{1};
    } else {
      return static_cast<T>(T{1} << factors);
    }
  }

  static Bits<T> input(const Keys& keys, std::int64_t i) {
    const auto n = static_cast<std::uint64_t>(keys.ranks);
    const std::uint64_t random = hash(keys.shared, i);
    const std::uint64_t holder = scaled(scramble(random), n);
    const auto rank = static_cast<std::uint64_t>(keys.rank);
    const std::uint64_t place = rank >= holder ? rank - holder : rank + n - holder;
    const bool flip = keys.rank > 0 && negative(keys.before, i);
    return with_sign<T>(place == 0 ? significand(random) : factor(place),
                        negative(keys.own, i) != flip);
  }
  static Bits<T> result(const Keys& keys, std::int64_t i) {
    const T value = static_cast<T>(significand(hash(keys.shared, i)) *
                                   all_factors(static_cast<std::uint64_t>(keys.ranks) - 1));
    return with_sign<T>(value, negative(keys.last, i));
  }
};

// Minimum and maximum work on codes: 0, 1, 2, ... in the order of the values they stand for.
template <class T, bool kLargest>
struct Extreme {
  static constexpr std::uint64_t codes_after_zero() {
    if constexpr (std::is_floating_point_v<T>) {
      return (2ULL << kDigits<T>)-2;
    } else {
      return std::numeric_limits<Bits<T>>::max();
    }
  }

  static Bits<T> decode(std::uint64_t code) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr std::int64_t kMost = (std::int64_t{1} << kDigits<T>)-1;
      return std::bit_cast<Bits<T>>(static_cast<T>(static_cast<std::int64_t>(code) - kMost));
    } else if constexpr (std::is_signed_v<T>) {
      constexpr std::uint64_t kSign = 1ULL << (8 * sizeof(T) - 1);
      return static_cast<Bits<T>>(code ^ kSign);
    } else {
      return static_cast<Bits<T>>(code);
    }
  }

  static std::uint64_t winner(std::uint64_t random) { return scaled(random, codes_after_zero()); }

  static Bits<T> input(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    const std::uint64_t best = winner(random);
    const std::uint64_t holder = scaled(scramble(random), static_cast<std::uint64_t>(keys.ranks));
    if (static_cast<std::uint64_t>(keys.rank) == holder) return decode(best);
    const std::uint64_t own = hash(keys.own, i);
    return decode(kLargest ? best - scaled(own, best)
                           : best + scaled(own, codes_after_zero() - best));
  }
  static Bits<T> result(const Keys& keys, std::int64_t i) {
    return decode(winner(hash(keys.shared, i)));
  }
};

}  // namespace rackproof::collectives::elements
