#include <arm_neon.h>

#include "benches/stream/isa.hpp"
#include "benches/stream/nontemporal.hpp"

namespace rackproof::stream {
namespace {

// The instruction stores two registers at once. It has no intrinsic.
struct Doubles {
  using Element = double;
  static constexpr std::size_t width() { return 4; }
  static float64x2x2_t load(const double* from) { return {{vld1q_f64(from), vld1q_f64(from + 2)}}; }
  static float64x2x2_t set(double value) { return {{vdupq_n_f64(value), vdupq_n_f64(value)}}; }
  static float64x2x2_t multiply(float64x2x2_t x, float64x2x2_t y) {
    return {{vmulq_f64(x.val[0], y.val[0]), vmulq_f64(x.val[1], y.val[1])}};
  }
  static float64x2x2_t add(float64x2x2_t x, float64x2x2_t y) {
    return {{vaddq_f64(x.val[0], y.val[0]), vaddq_f64(x.val[1], y.val[1])}};
  }
  static void stream(double* to, float64x2x2_t value) {
    asm("stnp %q1, %q2, %0"
        : "=Q"(*reinterpret_cast<double(*)[4]>(to))
        : "w"(value.val[0]), "w"(value.val[1]));
  }
};

struct Floats {
  using Element = float;
  static constexpr std::size_t width() { return 8; }
  static float32x4x2_t load(const float* from) { return {{vld1q_f32(from), vld1q_f32(from + 4)}}; }
  static float32x4x2_t set(float value) { return {{vdupq_n_f32(value), vdupq_n_f32(value)}}; }
  static float32x4x2_t multiply(float32x4x2_t x, float32x4x2_t y) {
    return {{vmulq_f32(x.val[0], y.val[0]), vmulq_f32(x.val[1], y.val[1])}};
  }
  static float32x4x2_t add(float32x4x2_t x, float32x4x2_t y) {
    return {{vaddq_f32(x.val[0], y.val[0]), vaddq_f32(x.val[1], y.val[1])}};
  }
  static void stream(float* to, float32x4x2_t value) {
    asm("stnp %q1, %q2, %0"
        : "=Q"(*reinterpret_cast<float(*)[8]>(to))
        : "w"(value.val[0]), "w"(value.val[1]));
  }
};

}  // namespace

template <>
KernelSet<double> neon_ordinary<double>() {
  return Loops<double>::set("neon");
}
template <>
KernelSet<double> neon_nontemporal<double>() {
  return Nontemporal<Doubles>::set("neon-nontemporal");
}
template <>
KernelSet<float> neon_ordinary<float>() {
  return Loops<float>::set("neon");
}
template <>
KernelSet<float> neon_nontemporal<float>() {
  return Nontemporal<Floats>::set("neon-nontemporal");
}

}  // namespace rackproof::stream
