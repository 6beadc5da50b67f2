#include <immintrin.h>

#include <cstdint>
#include <limits>

#include "benches/align/lanes.hpp"

namespace rackproof::align {
namespace {

// A shuffle looks 16 entries up and gives 0 where the top bit of an index is set: one for each half
// of a row.
struct Places {
  __m128i low;
  __m128i high;
};

Places places_of(const std::uint8_t* residues) {
  const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(residues));
  return {_mm_add_epi8(found, _mm_set1_epi8(0x70)), _mm_sub_epi8(found, _mm_set1_epi8(16))};
}

__m128i looked_up(const std::int8_t* row, const Places& places) {
  const auto* const halves = reinterpret_cast<const __m128i*>(row);
  return _mm_or_si128(_mm_shuffle_epi8(_mm_loadu_si128(halves), places.low),
                      _mm_shuffle_epi8(_mm_loadu_si128(halves + 1), places.high));
}

struct In8 {
  using Element = std::int8_t;
  using Vector = __m256i;
  static constexpr int kLanes = 32;
  static constexpr int kColumns = 4;
  static constexpr std::int32_t kZero = -128;
  static constexpr std::int32_t kMost = 255;
  struct Index {
    __m256i low;
    __m256i high;
  };
  static Vector lowest() { return _mm256_set1_epi8(-128); }
  static Vector cost(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }
  static Vector add(Vector a, Vector b) { return _mm256_adds_epi8(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_subs_epi8(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm256_max_epi8(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    const __m256i found = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(residues));
    return {_mm256_add_epi8(found, _mm256_set1_epi8(0x70)),
            _mm256_sub_epi8(found, _mm256_set1_epi8(16))};
  }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    const auto* const halves = reinterpret_cast<const __m128i*>(row);
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(halves));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128(halves + 1));
    return _mm256_or_si256(_mm256_shuffle_epi8(low, index.low),
                           _mm256_shuffle_epi8(high, index.high));
  }
};

struct In16 {
  using Element = std::int16_t;
  using Vector = __m256i;
  using Index = Places;
  static constexpr int kLanes = 16;
  static constexpr int kColumns = 4;
  static constexpr std::int32_t kZero = -32768;
  static constexpr std::int32_t kMost = 65535;
  static Vector lowest() { return _mm256_set1_epi16(-32768); }
  static Vector cost(int value) { return _mm256_set1_epi16(static_cast<short>(value)); }
  static Vector add(Vector a, Vector b) { return _mm256_adds_epi16(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm256_subs_epi16(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm256_max_epi16(a, b); }
  static Index index_of(const std::uint8_t* residues) { return places_of(residues); }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    return _mm256_cvtepi8_epi16(looked_up(row, index));
  }
};

// Nothing stops at its limits in 32 bits, but zero can be put in between.
struct In32 {
  using Element = std::int32_t;
  using Vector = __m256i;
  using Index = Places;
  static constexpr int kLanes = 8;
  static constexpr int kColumns = 4;
  static constexpr std::int32_t kZero = 0;
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  static Vector lowest() { return _mm256_setzero_si256(); }
  static Vector cost(int value) { return _mm256_set1_epi32(value); }
  static Vector add(Vector a, Vector b) { return larger(_mm256_add_epi32(a, b), lowest()); }
  static Vector subtract(Vector a, Vector b) { return larger(_mm256_sub_epi32(a, b), lowest()); }
  static Vector larger(Vector a, Vector b) { return _mm256_max_epi32(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    std::uint8_t all[16] = {};
    std::memcpy(all, residues, kLanes);
    return places_of(all);
  }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    return _mm256_cvtepi8_epi32(looked_up(row, index));
  }
};

}  // namespace

KernelSet avx2_kernels() {
  return {"avx2",
          {In8::kLanes, align_lanes<In8>},
          {In16::kLanes, align_lanes<In16>},
          {In32::kLanes, align_lanes<In32>}};
}

}  // namespace rackproof::align
