#include "benches/stream/isa.hpp"

#include "benches/stream/nontemporal.hpp"

namespace rackproof::stream {
namespace {

struct Doubles {
  using Element = double;
  static constexpr std::size_t width() { return 4; }
  static __m256d load(const double* from) { return _mm256_load_pd(from); }
  static __m256d set(double value) { return _mm256_set1_pd(value); }
  static __m256d multiply(__m256d x, __m256d y) { return _mm256_mul_pd(x, y); }
  static __m256d add(__m256d x, __m256d y) { return _mm256_add_pd(x, y); }
  static void stream(double* to, __m256d value) { _mm256_stream_pd(to, value); }
};

struct Floats {
  using Element = float;
  static constexpr std::size_t width() { return 8; }
  static __m256 load(const float* from) { return _mm256_load_ps(from); }
  static __m256 set(float value) { return _mm256_set1_ps(value); }
  static __m256 multiply(__m256 x, __m256 y) { return _mm256_mul_ps(x, y); }
  static __m256 add(__m256 x, __m256 y) { return _mm256_add_ps(x, y); }
  static void stream(float* to, __m256 value) { _mm256_stream_ps(to, value); }
};

}  // namespace

template <>
KernelSet<double> avx2_ordinary<double>() {
  return Loops<double>::set("avx2");
}
template <>
KernelSet<double> avx2_nontemporal<double>() {
  return Nontemporal<Doubles>::set("avx2-nontemporal");
}
template <>
KernelSet<float> avx2_ordinary<float>() {
  return Loops<float>::set("avx2");
}
template <>
KernelSet<float> avx2_nontemporal<float>() {
  return Nontemporal<Floats>::set("avx2-nontemporal");
}

}  // namespace rackproof::stream
