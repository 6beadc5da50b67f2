#include <arm_neon.h>

#include <cstdint>
#include <limits>

#include "benches/align/lanes.hpp"

namespace rackproof::align {
namespace {

int8x16_t looked_up(const std::int8_t* row, uint8x16_t residues) {
  const int8x16x2_t halves = {{vld1q_s8(row), vld1q_s8(row + 16)}};
  return vqtbl2q_s8(halves, residues);
}

struct In8 {
  using Element = std::int8_t;
  using Vector = int8x16_t;
  using Index = uint8x16_t;
  static constexpr int kLanes = 16;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -128;
  static constexpr std::int32_t kMost = 255;
  static Vector lowest() { return vdupq_n_s8(-128); }
  static Vector cost(int value) { return vdupq_n_s8(static_cast<std::int8_t>(value)); }
  static Vector add(Vector a, Vector b) { return vqaddq_s8(a, b); }
  static Vector subtract(Vector a, Vector b) { return vqsubq_s8(a, b); }
  static Vector larger(Vector a, Vector b) { return vmaxq_s8(a, b); }
  static Index index_of(const std::uint8_t* residues) { return vld1q_u8(residues); }
  static Vector scores_of(const std::int8_t* row, Index index) { return looked_up(row, index); }
};

struct In16 {
  using Element = std::int16_t;
  using Vector = int16x8_t;
  using Index = uint8x16_t;
  static constexpr int kLanes = 8;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = -32768;
  static constexpr std::int32_t kMost = 65535;
  static Vector lowest() { return vdupq_n_s16(-32768); }
  static Vector cost(int value) { return vdupq_n_s16(static_cast<std::int16_t>(value)); }
  static Vector add(Vector a, Vector b) { return vqaddq_s16(a, b); }
  static Vector subtract(Vector a, Vector b) { return vqsubq_s16(a, b); }
  static Vector larger(Vector a, Vector b) { return vmaxq_s16(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    return vcombine_u8(vld1_u8(residues), vdup_n_u8(0));
  }
  static Vector scores_of(const std::int8_t* row, Index index) {
    return vmovl_s8(vget_low_s8(looked_up(row, index)));
  }
};

// Nothing stops at its limits in 32 bits, but zero can be put in between.
struct In32 {
  using Element = std::int32_t;
  using Vector = int32x4_t;
  using Index = uint8x16_t;
  static constexpr int kLanes = 4;
  static constexpr int kColumns = 8;
  static constexpr std::int32_t kZero = 0;
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  static Vector lowest() { return vdupq_n_s32(0); }
  static Vector cost(int value) { return vdupq_n_s32(value); }
  static Vector add(Vector a, Vector b) { return larger(vaddq_s32(a, b), lowest()); }
  static Vector subtract(Vector a, Vector b) { return larger(vsubq_s32(a, b), lowest()); }
  static Vector larger(Vector a, Vector b) { return vmaxq_s32(a, b); }
  static Index index_of(const std::uint8_t* residues) {
    std::uint8_t all[16] = {};
    std::memcpy(all, residues, kLanes);
    return vld1q_u8(all);
  }
  static Vector scores_of(const std::int8_t* row, Index index) {
    const int16x8_t wide = vmovl_s8(vget_low_s8(looked_up(row, index)));
    return vmovl_s16(vget_low_s16(wide));
  }
};

}  // namespace

KernelSet neon_kernels() {
  return {"neon",
          {In8::kLanes, align_lanes<In8>},
          {In16::kLanes, align_lanes<In16>},
          {In32::kLanes, align_lanes<In32>}};
}

}  // namespace rackproof::align
