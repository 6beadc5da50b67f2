#include <arm_sve.h>

#include "benches/stream/isa.hpp"
#include "benches/stream/nontemporal.hpp"

namespace rackproof::stream {
namespace {

// The length of a vector is known when this runs, not before.
struct Doubles {
  using Element = double;
  static std::size_t width() { return svcntd(); }
  static svfloat64_t load(const double* from) { return svld1_f64(svptrue_b64(), from); }
  static svfloat64_t set(double value) { return svdup_n_f64(value); }
  static svfloat64_t multiply(svfloat64_t x, svfloat64_t y) {
    return svmul_f64_x(svptrue_b64(), x, y);
  }
  static svfloat64_t add(svfloat64_t x, svfloat64_t y) { return svadd_f64_x(svptrue_b64(), x, y); }
  static void stream(double* to, svfloat64_t value) { svstnt1_f64(svptrue_b64(), to, value); }
};

struct Floats {
  using Element = float;
  static std::size_t width() { return svcntw(); }
  static svfloat32_t load(const float* from) { return svld1_f32(svptrue_b32(), from); }
  static svfloat32_t set(float value) { return svdup_n_f32(value); }
  static svfloat32_t multiply(svfloat32_t x, svfloat32_t y) {
    return svmul_f32_x(svptrue_b32(), x, y);
  }
  static svfloat32_t add(svfloat32_t x, svfloat32_t y) { return svadd_f32_x(svptrue_b32(), x, y); }
  static void stream(float* to, svfloat32_t value) { svstnt1_f32(svptrue_b32(), to, value); }
};

}  // namespace

template <>
KernelSet<double> sve_ordinary<double>() {
  return Loops<double>::set("sve");
}
template <>
KernelSet<double> sve_nontemporal<double>() {
  return Nontemporal<Doubles>::set("sve-nontemporal");
}
template <>
KernelSet<float> sve_ordinary<float>() {
  return Loops<float>::set("sve");
}
template <>
KernelSet<float> sve_nontemporal<float>() {
  return Nontemporal<Floats>::set("sve-nontemporal");
}

}  // namespace rackproof::stream
