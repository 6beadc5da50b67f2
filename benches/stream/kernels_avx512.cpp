#include "benches/stream/isa.hpp"

#include "benches/stream/nontemporal.hpp"

namespace rackproof::stream {
namespace {

struct Doubles {
  using Element = double;
  static constexpr std::size_t width() { return 8; }
  static __m512d load(const double* from) { return _mm512_load_pd(from); }
  static __m512d set(double value) { return _mm512_set1_pd(value); }
  static __m512d multiply(__m512d x, __m512d y) { return _mm512_mul_pd(x, y); }
  static __m512d add(__m512d x, __m512d y) { return _mm512_add_pd(x, y); }
  static void stream(double* to, __m512d value) { _mm512_stream_pd(to, value); }
};

struct Floats {
  using Element = float;
  static constexpr std::size_t width() { return 16; }
  static __m512 load(const float* from) { return _mm512_load_ps(from); }
  static __m512 set(float value) { return _mm512_set1_ps(value); }
  static __m512 multiply(__m512 x, __m512 y) { return _mm512_mul_ps(x, y); }
  static __m512 add(__m512 x, __m512 y) { return _mm512_add_ps(x, y); }
  static void stream(float* to, __m512 value) { _mm512_stream_ps(to, value); }
};

}  // namespace

template <>
KernelSet<double> avx512_ordinary<double>() {
  return Loops<double>::set("avx512");
}
template <>
KernelSet<double> avx512_nontemporal<double>() {
  return Nontemporal<Doubles>::set("avx512-nontemporal");
}
template <>
KernelSet<float> avx512_ordinary<float>() {
  return Loops<float>::set("avx512");
}
template <>
KernelSet<float> avx512_nontemporal<float>() {
  return Nontemporal<Floats>::set("avx512-nontemporal");
}

}  // namespace rackproof::stream
