#include <immintrin.h>

#include <cstdint>
#include <limits>

#include "benches/align/lanes.hpp"

namespace rackproof::align {
namespace {

// A shuffle looks 16 entries up and gives 0 where the top bit of an index is set: one for each half
// of a row.
struct In8 {
  using Element = std::int8_t;
  using Vector = __m512i;
  static constexpr int kLanes = 64;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -128;
  static constexpr std::int32_t kMost = 255;
  struct Index {
    __m512i low;
    __m512i high;
  };
  static Vector lowest() { return _mm512_set1_epi8(-128); }
  static Vector cost(int value) { return _mm512_set1_epi8(static_cast<char>(value)); }
  static Vector add(Vector a, Vector b) { return _mm512_adds_epi8(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_subs_epi8(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm512_max_epi8(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    const __m512i found = _mm512_loadu_si512(residues);
    return {_mm512_add_epi8(found, _mm512_set1_epi8(0x70)),
            _mm512_sub_epi8(found, _mm512_set1_epi8(16))};
  }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    const auto* const halves = reinterpret_cast<const __m128i*>(row);
    const __m512i low = _mm512_broadcast_i32x4(_mm_loadu_si128(halves));
    const __m512i high = _mm512_broadcast_i32x4(_mm_loadu_si128(halves + 1));
    return _mm512_or_si512(_mm512_shuffle_epi8(low, index.low),
                           _mm512_shuffle_epi8(high, index.high));
  }
};

struct In16 {
  using Element = std::int16_t;
  using Vector = __m512i;
  static constexpr int kLanes = 32;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -32768;
  static constexpr std::int32_t kMost = 65535;
  struct Index {
    __m256i low;
    __m256i high;
  };
  static Vector lowest() { return _mm512_set1_epi16(-32768); }
  static Vector cost(int value) { return _mm512_set1_epi16(static_cast<short>(value)); }
  static Vector add(Vector a, Vector b) { return _mm512_adds_epi16(a, b); }
  static Vector subtract(Vector a, Vector b) { return _mm512_subs_epi16(a, b); }
  static Vector larger(Vector a, Vector b) { return _mm512_max_epi16(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    const __m256i found = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(residues));
    return {_mm256_add_epi8(found, _mm256_set1_epi8(0x70)),
            _mm256_sub_epi8(found, _mm256_set1_epi8(16))};
  }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    const auto* const halves = reinterpret_cast<const __m128i*>(row);
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(halves));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128(halves + 1));
    return _mm512_cvtepi8_epi16(_mm256_or_si256(_mm256_shuffle_epi8(low, index.low),
                                                _mm256_shuffle_epi8(high, index.high)));
  }
};

// Nothing stops at its limits in 32 bits, but zero can be put in between.
struct In32 {
  using Element = std::int32_t;
  using Vector = __m512i;
  static constexpr int kLanes = 16;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = 0;
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  struct Index {
    __m128i low;
    __m128i high;
  };
  static Vector lowest() { return _mm512_setzero_si512(); }
  static Vector cost(int value) { return _mm512_set1_epi32(value); }
  static Vector add(Vector a, Vector b) { return larger(_mm512_add_epi32(a, b), lowest()); }
  static Vector subtract(Vector a, Vector b) { return larger(_mm512_sub_epi32(a, b), lowest()); }
  static Vector larger(Vector a, Vector b) { return _mm512_max_epi32(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(residues));
    return {_mm_add_epi8(found, _mm_set1_epi8(0x70)), _mm_sub_epi8(found, _mm_set1_epi8(16))};
  }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    const auto* const halves = reinterpret_cast<const __m128i*>(row);
    return _mm512_cvtepi8_epi32(
        _mm_or_si128(_mm_shuffle_epi8(_mm_loadu_si128(halves), index.low),
                     _mm_shuffle_epi8(_mm_loadu_si128(halves + 1), index.high)));
  }
};

}  // namespace

KernelSet avx512_kernels() {
  return {"avx512bw",
          {In8::kLanes, align_lanes<In8>},
          {In16::kLanes, align_lanes<In16>},
          {In32::kLanes, align_lanes<In32>}};
}

}  // namespace rackproof::align
