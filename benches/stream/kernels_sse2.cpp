#include "benches/stream/isa.hpp"

#include "benches/stream/nontemporal.hpp"

namespace rackproof::stream {
namespace {

struct Doubles {
  using Element = double;
  static constexpr std::size_t width() { return 2; }
  static __m128d load(const double* from) { return _mm_load_pd(from); }
  static __m128d set(double value) { return _mm_set1_pd(value); }
  static __m128d multiply(__m128d x, __m128d y) { return _mm_mul_pd(x, y); }
  static __m128d add(__m128d x, __m128d y) { return _mm_add_pd(x, y); }
  static void stream(double* to, __m128d value) { _mm_stream_pd(to, value); }
};

struct Floats {
  using Element = float;
  static constexpr std::size_t width() { return 4; }
  static __m128 load(const float* from) { return _mm_load_ps(from); }
  static __m128 set(float value) { return _mm_set1_ps(value); }
  static __m128 multiply(__m128 x, __m128 y) { return _mm_mul_ps(x, y); }
  static __m128 add(__m128 x, __m128 y) { return _mm_add_ps(x, y); }
  static void stream(float* to, __m128 value) { _mm_stream_ps(to, value); }
};

}  // namespace

template <>
KernelSet<double> sse2_ordinary<double>() {
  return Loops<double>::set("sse2");
}
template <>
KernelSet<double> sse2_nontemporal<double>() {
  return Nontemporal<Doubles>::set("sse2-nontemporal");
}
template <>
KernelSet<float> sse2_ordinary<float>() {
  return Loops<float>::set("sse2");
}
template <>
KernelSet<float> sse2_nontemporal<float>() {
  return Nontemporal<Floats>::set("sse2-nontemporal");
}

}  // namespace rackproof::stream
