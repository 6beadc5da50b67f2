#pragma once

#include <cstdint>
#include <string>

#include "benches/kit/host_device.hpp"

/// Data whose every word is known without keeping it: what a copy or a message must deliver.
namespace rackproof::kit::pattern {

/// The finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the result
/// depends on every bit of the argument.
RACKPROOF_HD constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// A key of its own for each `number`: of a seed, or of a key.
RACKPROOF_HD constexpr std::uint64_t key_of(std::uint64_t seed, std::uint64_t number) {
  return scramble(seed ^ scramble(number + 0x9e3779b97f4a7c15ULL));
}

/// Word `index` of the pattern that `key` names. A counter, not a chain: any part can be written or
/// checked by anybody, in any order.
RACKPROOF_HD constexpr std::uint64_t word(std::uint64_t key, std::int64_t index) {
  return scramble(key + static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15ULL);
}

/// Poison: differs from the pattern in every bit, so that a word which nobody wrote is wrong.
inline constexpr std::uint64_t kPoison = ~std::uint64_t{0};

/// What a comparison found. `first` is the index of the first wrong word, -1 for none.
struct Difference {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::int64_t first = -1;
  std::uint64_t got = 0;
  std::uint64_t want = 0;
};

/// Writes words 0 to `words` - 1, each combined (exclusive or) with `mask`: 0, or kPoison.
void fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask = 0);

/// Compares each of `words` words with the pattern.
Difference compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key);

/// "0x00000000deadbeef".
std::string text_of(std::uint64_t word);

}  // namespace rackproof::kit::pattern
