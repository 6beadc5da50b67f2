#pragma once

#include <arm_sve.h>

#include <cstdint>
#include <limits>

#include "benches/align/lanes.hpp"

// Compiled once for each length of vectors, with -msve-vector-bits: the vectors are then types like
// any others, of which there can be arrays.
#ifndef __ARM_FEATURE_SVE_BITS
#error "expected -msve-vector-bits"
#endif
// A row of the table of scores has to fit into a vector.
static_assert(__ARM_FEATURE_SVE_BITS >= 256);

namespace rackproof::align {
namespace {

constexpr int kVectorBytes = __ARM_FEATURE_SVE_BITS / 8;

using Bytes = svuint8_t __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
using Signed8 = svint8_t __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
using Signed16 = svint16_t __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
using Signed32 = svint32_t __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));

Bytes first_bytes(const std::uint8_t* from, int count) {
  return svld1_u8(svwhilelt_b8_s32(0, count), from);
}

Signed8 looked_up(const std::int8_t* row, Bytes residues) {
  return svtbl_s8(svld1_s8(svwhilelt_b8_s32(0, kTableRow), row), residues);
}

struct In8 {
  using Element = std::int8_t;
  using Vector = Signed8;
  using Index = Bytes;
  static constexpr int kLanes = kVectorBytes;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -128;
  static constexpr std::int32_t kMost = 255;
  static Vector lowest() { return svdup_n_s8(-128); }
  static Vector cost(int value) { return svdup_n_s8(static_cast<std::int8_t>(value)); }
  static Vector add(Vector a, Vector b) { return svqadd_s8(a, b); }
  static Vector subtract(Vector a, Vector b) { return svqsub_s8(a, b); }
  static Vector larger(Vector a, Vector b) { return svmax_s8_x(svptrue_b8(), a, b); }
  static Index index_of(const std::uint8_t* residues) { return first_bytes(residues, kLanes); }
  static Vector scores_of(const std::int8_t* row, Index index) { return looked_up(row, index); }
};

struct In16 {
  using Element = std::int16_t;
  using Vector = Signed16;
  using Index = Bytes;
  static constexpr int kLanes = kVectorBytes / 2;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -32768;
  static constexpr std::int32_t kMost = 65535;
  static Vector lowest() { return svdup_n_s16(-32768); }
  static Vector cost(int value) { return svdup_n_s16(static_cast<std::int16_t>(value)); }
  static Vector add(Vector a, Vector b) { return svqadd_s16(a, b); }
  static Vector subtract(Vector a, Vector b) { return svqsub_s16(a, b); }
  static Vector larger(Vector a, Vector b) { return svmax_s16_x(svptrue_b16(), a, b); }
  static Index index_of(const std::uint8_t* residues) { return first_bytes(residues, kLanes); }
  static Vector scores_of(const std::int8_t* row, Index index) {
    return svunpklo_s16(looked_up(row, index));
  }
};

// Zero can be put in between where nothing stops at its limits.
struct In32 {
  using Element = std::int32_t;
  using Vector = Signed32;
  using Index = Bytes;
  static constexpr int kLanes = kVectorBytes / 4;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = 0;
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  static Vector lowest() { return svdup_n_s32(0); }
  static Vector cost(int value) { return svdup_n_s32(value); }
  static Vector add(Vector a, Vector b) {
    return larger(svadd_s32_x(svptrue_b32(), a, b), lowest());
  }
  static Vector subtract(Vector a, Vector b) {
    return larger(svsub_s32_x(svptrue_b32(), a, b), lowest());
  }
  static Vector larger(Vector a, Vector b) { return svmax_s32_x(svptrue_b32(), a, b); }
  static Index index_of(const std::uint8_t* residues) { return first_bytes(residues, kLanes); }
  static Vector scores_of(const std::int8_t* row, Index index) {
    return svunpklo_s32(svunpklo_s16(looked_up(row, index)));
  }
};

KernelSet sve_kernels(const char* name) {
  return {name,
          {In8::kLanes, align_lanes<In8>},
          {In16::kLanes, align_lanes<In16>},
          {In32::kLanes, align_lanes<In32>}};
}

}  // namespace
}  // namespace rackproof::align
