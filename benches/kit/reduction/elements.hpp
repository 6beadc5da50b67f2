#pragma once

#include <cstdint>
#include <type_traits>

#include "benches/kit/host_device.hpp"
#include "benches/kit/reduction/formats.hpp"

// The generators behind Pattern: one element of an input, and one of the result, for each type and
// reduction. What makes each exact is said in verifiable.hpp. The same functions fill and verify on
// the device.
namespace rackproof::reduction::elements {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64: every bit of the result depends on every bit of the argument.
RACKPROOF_HD constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

RACKPROOF_HD constexpr std::uint64_t hash(std::uint64_t key, std::int64_t index) {
  return scramble(key + static_cast<std::uint64_t>(index) * kGolden);
}

// Mixes a seed with a number into a new seed.
RACKPROOF_HD constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
  return scramble(seed + (number + 1) * kGolden);
}

// A number in [0, range), range > 0; 0 for range 0.
RACKPROOF_HD constexpr std::uint64_t scaled(std::uint64_t random, std::uint64_t range) {
  return static_cast<std::uint64_t>((static_cast<Wide>(random) * range) >> 64);
}

// One key for what a rank has alone (with that of the rank before it, where there is a chain), one
// for what all ranks agree on. `mean` is needed for averages alone.
struct Keys {
  RACKPROOF_HD Keys(std::uint64_t seed, int rank_of, int ranks_of, Mean mean_of = {})
      : rank(rank_of),
        ranks(ranks_of),
        own(of(seed, rank_of)),
        before(of(seed, rank_of - 1)),
        last(of(seed, ranks_of - 1)),
        shared(of(seed, -2)),
        mean(mean_of) {}

  RACKPROOF_HD static std::uint64_t of(std::uint64_t seed, int rank) {
    return scramble(seed ^ scramble(static_cast<std::uint64_t>(rank + 3) * kGolden));
  }

  int rank;
  int ranks;
  std::uint64_t own;
  std::uint64_t before;
  std::uint64_t last;
  std::uint64_t shared;
  Mean mean;
};

template <class T>
struct Moved {
  RACKPROOF_HD static Bits<T> input(const Keys& keys, std::int64_t i) {
    return static_cast<Bits<T>>(hash(keys.own, i) >> 7);
  }
};

// Bits start, start + n, start + 2n, ... of a number of `digits` bits belong to a rank; where its
// share starts changes from element to element.
RACKPROOF_HD inline std::uint64_t share_of(const Keys& keys, std::uint64_t random, std::int64_t i,
                                           int digits) {
  const auto n = static_cast<std::uint64_t>(keys.ranks);
  const std::uint64_t turn = scaled(scramble(random + static_cast<std::uint64_t>(i)), n);
  std::uint64_t start = static_cast<std::uint64_t>(keys.rank) + turn;
  if (start >= n) start -= n;
  std::uint64_t mask = 0;
  for (std::uint64_t bit = start; bit < static_cast<std::uint64_t>(digits); bit += n) {
    mask |= 1ULL << bit;
  }
  return mask;
}

// Exponents low, low + 1, ..., low + count - 1; count is a power of two.
struct Exponents {
  int low;
  int count;

  RACKPROOF_HD constexpr int pick(std::uint64_t random) const {
    return static_cast<int>((random >> 56) & static_cast<std::uint64_t>(count - 1)) + low;
  }
};

template <class T>
struct Sum {
  // The lowest bit stays a normal number, all bits together below the largest one.
  RACKPROOF_HD static constexpr Exponents scale() {
    if constexpr (!kFloating<T>) {
      return {0, 1};
    } else if constexpr (std::is_same_v<T, Half>) {
      return {-8, 8};
    } else if constexpr (std::is_same_v<T, Float8E4M3>) {
      return {-4, 8};
    } else {
      return {-8, 16};
    }
  }

  RACKPROOF_HD static std::uint64_t significand(std::uint64_t random) {
    return (random & (~0ULL >> (64 - kDigits<T>))) | 1;
  }

  RACKPROOF_HD static Bits<T> of(std::uint64_t bits, std::uint64_t random) {
    return encode<T>(kSigned<T> && (random >> 63) != 0, bits, scale().pick(random));
  }

  RACKPROOF_HD static Bits<T> input(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    return of(significand(random) & share_of(keys, random, i, kDigits<T>), random);
  }
  RACKPROOF_HD static Bits<T> result(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    return of(significand(random), random);
  }
};

template <class T>
struct Prod {
  // Ranks counted from the one with the significand: so many after it have a factor that is not 1.
  // For floating point these are 2, 1/2, 2, ..., half of which the exponents have room for in
  // either direction, for integers 2 as long as the product fits.
  RACKPROOF_HD static constexpr int factors() {
    if constexpr (!kFloating<T>) {
      return kDigits<T> / 2;
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Float8E5M2>) {
      return 24;
    } else if constexpr (std::is_same_v<T, Float8E4M3>) {
      return 10;
    } else {
      return 64;
    }
  }
  RACKPROOF_HD static bool negative(std::uint64_t key, std::int64_t i) {
    return kSigned<T> && (hash(key, i) & 1) != 0;
  }

  RACKPROOF_HD static std::uint64_t significand(std::uint64_t random) {
    if constexpr (kFloating<T>) {
      constexpr std::uint64_t kLead = 1ULL << (kDigits<T> - 1);
      return (random & (kLead - 1)) | kLead;
    } else {
      return (random & (~0ULL >> (64 - (kDigits<T> - factors())))) | 1;
    }
  }
  // Of the significand: its leading one stands for 1 where there is a point.
  static constexpr int kExponent = kFloating<T> ? 1 - kDigits<T> : 0;

  RACKPROOF_HD static int factor(std::uint64_t place) {
    if (place > static_cast<std::uint64_t>(factors())) return 0;
    return kFloating<T> && place % 2 == 0 ? -1 : 1;
  }

  RACKPROOF_HD static int all_factors(std::uint64_t others) {
    constexpr auto kFactors = static_cast<std::uint64_t>(factors());
    const std::uint64_t count = others < kFactors ? others : kFactors;
    return static_cast<int>(kFloating<T> ? count % 2 : count);
  }

  RACKPROOF_HD static Bits<T> input(const Keys& keys, std::int64_t i) {
    const auto n = static_cast<std::uint64_t>(keys.ranks);
    const std::uint64_t random = hash(keys.shared, i);
    const std::uint64_t holder = scaled(scramble(random), n);
    const auto rank = static_cast<std::uint64_t>(keys.rank);
    const std::uint64_t place = rank >= holder ? rank - holder : rank + n - holder;
    const bool flip = keys.rank > 0 && negative(keys.before, i);
    const bool sign = negative(keys.own, i) != flip;
    return place == 0 ? encode<T>(sign, significand(random), kExponent)
                      : encode<T>(sign, 1, factor(place));
  }
  RACKPROOF_HD static Bits<T> result(const Keys& keys, std::int64_t i) {
    const int factors_of_all = all_factors(static_cast<std::uint64_t>(keys.ranks) - 1);
    return encode<T>(negative(keys.last, i), significand(hash(keys.shared, i)),
                     kExponent + factors_of_all);
  }
};

// Minimum and maximum work on codes: 0, 1, 2, ... in the order of the values they stand for.
template <class T, bool kLargest>
struct Extreme {
  RACKPROOF_HD static constexpr std::uint64_t codes_after_zero() {
    if constexpr (kFloating<T>) {
      return (2ULL << kDigits<T>)-2;
    } else {
      return ~std::uint64_t{0} >> (64 - 8 * kWidth<T>);
    }
  }

  RACKPROOF_HD static Bits<T> of_code(std::uint64_t code) {
    if constexpr (kFloating<T>) {
      constexpr std::uint64_t kMost = (1ULL << kDigits<T>)-1;
      return code < kMost ? encode<T>(true, kMost - code, 0) : encode<T>(false, code - kMost, 0);
    } else if constexpr (kSigned<T>) {
      constexpr std::uint64_t kSign = 1ULL << (8 * kWidth<T> - 1);
      return static_cast<Bits<T>>(code ^ kSign);
    } else {
      return static_cast<Bits<T>>(code);
    }
  }

  RACKPROOF_HD static std::uint64_t winner(std::uint64_t random) {
    return scaled(random, codes_after_zero());
  }

  RACKPROOF_HD static Bits<T> input(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    const std::uint64_t best = winner(random);
    const std::uint64_t holder = scaled(scramble(random), static_cast<std::uint64_t>(keys.ranks));
    if (static_cast<std::uint64_t>(keys.rank) == holder) return of_code(best);
    const std::uint64_t own = hash(keys.own, i);
    return of_code(kLargest ? best - scaled(own, best)
                            : best + scaled(own, codes_after_zero() - best));
  }
  RACKPROOF_HD static Bits<T> result(const Keys& keys, std::int64_t i) {
    return of_code(winner(hash(keys.shared, i)));
  }
};

// Averages. Integers: a sum that is `ranks` times a random number, shared out as in Sum. Floating
// point: two ranks have the same power of two, the others zero, so that scaling before the sum,
// dividing after it, and rounding 1 / ranks to the type all give the same bits.
template <class T>
struct Avg {
  RACKPROOF_HD static constexpr Exponents scale() {
    if constexpr (std::is_same_v<T, Float8E4M3>) {
      return {0, 4};
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Float8E5M2>) {
      return {0, 8};
    } else {
      return {-32, 64};
    }
  }

  RACKPROOF_HD static bool negative(std::uint64_t random) {
    return kSigned<T> && (random & 1) != 0;
  }

  // 1 to the largest mean whose sum fits.
  RACKPROOF_HD static std::uint64_t mean(const Keys& keys, std::uint64_t random) {
    return 1 + scaled(random, keys.mean.significand);
  }

  RACKPROOF_HD static bool contributes(const Keys& keys, std::uint64_t random) {
    const auto n = static_cast<std::uint64_t>(keys.ranks);
    const std::uint64_t first = scaled(scramble(random), n);
    std::uint64_t second = first + 1 + scaled(scramble(~random), n - 1);
    if (second >= n) second -= n;
    const auto rank = static_cast<std::uint64_t>(keys.rank);
    return rank == first || rank == second;
  }

  RACKPROOF_HD static Bits<T> input(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    if constexpr (kFloating<T>) {
      return encode<T>(negative(random), contributes(keys, random) ? 1 : 0, scale().pick(random));
    } else {
      const std::uint64_t sum = mean(keys, random) * static_cast<std::uint64_t>(keys.ranks);
      return encode<T>(negative(random), sum & share_of(keys, random, i, kDigits<T>), 0);
    }
  }
  RACKPROOF_HD static Bits<T> result(const Keys& keys, std::int64_t i) {
    const std::uint64_t random = hash(keys.shared, i);
    if constexpr (kFloating<T>) {
      const int contributors = keys.ranks > 1 ? 1 : 0;  // as a power of two
      return encode<T>(negative(random), keys.mean.significand,
                       keys.mean.exponent + scale().pick(random) + contributors);
    } else {
      return encode<T>(negative(random), mean(keys, random), 0);
    }
  }
};

}  // namespace rackproof::reduction::elements
