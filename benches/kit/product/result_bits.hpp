#pragma once

#include <cstdint>

#include "benches/kit/host_device.hpp"
#include "benches/kit/product/mix.hpp"

/// Results as bare bits: what comparing and digesting them on a device do with each word.
namespace rackproof::product {

/// Element `index` of an array of elements of 2, 4 or 8 bytes, as bits.
RACKPROOF_HD inline std::uint64_t element_bits(const void* array, std::int64_t index,
                                               int element_bytes) {
  switch (element_bytes) {
    case 2:
      return static_cast<const std::uint16_t*>(array)[index];
    case 4:
      return static_cast<const std::uint32_t*>(array)[index];
    default:
      return static_cast<const std::uint64_t*>(array)[index];
  }
}

/// What comparing has found so far. `claimed` is 1 once the first wrong element has been written
/// down; `label` says in which comparison that was.
struct Findings {
  unsigned long long wrong = 0;
  unsigned long long claimed = 0;
  unsigned long long label = 0;
  unsigned long long element = 0;
  unsigned long long got = 0;
  unsigned long long want = 0;
};

/// The part of 16-byte words `got` and `want`, the `word`-th of their arrays, that differs: how
/// many of the elements, and which is the first.
struct WordDifference {
  int wrong = 0;
  std::int64_t first = -1;  ///< index of the element in the array
  std::uint64_t got = 0;
  std::uint64_t want = 0;
};
RACKPROOF_HD inline WordDifference word_difference(const void* got, const void* want,
                                                   std::int64_t word, int element_bytes) {
  WordDifference found;
  const int count = 16 / element_bytes;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t a = element_bits(got, i, element_bytes);
    const std::uint64_t b = element_bits(want, i, element_bytes);
    if (a == b) continue;
    if (found.wrong++ == 0) {
      found.first = word * count + i;
      found.got = a;
      found.want = b;
    }
  }
  return found;
}

/// The term of the 64-bit word at `index` in a digest. The digest of an array is the sum of all
/// terms modulo 2^64, in any order: for a fixed place the term is a bijection of the word, so that
/// a change within one word always changes the digest, and words that change places change it with
/// all but certainty. A last word that is not full is filled up with zeros.
RACKPROOF_HD inline std::uint64_t digest_term(std::uint64_t word, std::uint64_t index) {
  return mix(word, index);
}

}  // namespace rackproof::product
