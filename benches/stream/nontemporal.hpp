#pragma once

#include <immintrin.h>

#include <cstddef>

#include "benches/stream/kernels.hpp"
#include "benches/stream/loops.hpp"

namespace rackproof::stream {
namespace {

// The same four kernels with stores that write past the caches, so that no line is read only to be
// overwritten. Simd is one vector register: Element, kWidth, load, set, multiply, add, stream. What
// is left after the last whole vector is done by the ordinary loop.
template <class Simd>
struct Nontemporal {
  using T = typename Simd::Element;
  static constexpr std::size_t kWidth = Simd::kWidth;

  static std::size_t whole(std::size_t n) { return n - n % kWidth; }

  static void copy(const T* a, T* c, std::size_t n) {
    const std::size_t end = whole(n);
    for (std::size_t i = 0; i < end; i += kWidth) Simd::stream(c + i, Simd::load(a + i));
    _mm_sfence();
    Loops<T>::copy(a + end, c + end, n - end);
  }

  static void scale(const T* c, T* b, T scalar, std::size_t n) {
    const std::size_t end = whole(n);
    const auto s = Simd::set(scalar);
    for (std::size_t i = 0; i < end; i += kWidth) {
      Simd::stream(b + i, Simd::multiply(s, Simd::load(c + i)));
    }
    _mm_sfence();
    Loops<T>::scale(c + end, b + end, scalar, n - end);
  }

  static void add(const T* a, const T* b, T* c, std::size_t n) {
    const std::size_t end = whole(n);
    for (std::size_t i = 0; i < end; i += kWidth) {
      Simd::stream(c + i, Simd::add(Simd::load(a + i), Simd::load(b + i)));
    }
    _mm_sfence();
    Loops<T>::add(a + end, b + end, c + end, n - end);
  }

  static void triad(const T* b, const T* c, T* a, T scalar, std::size_t n) {
    const std::size_t end = whole(n);
    const auto s = Simd::set(scalar);
    for (std::size_t i = 0; i < end; i += kWidth) {
      Simd::stream(a + i, Simd::add(Simd::load(b + i), Simd::multiply(s, Simd::load(c + i))));
    }
    _mm_sfence();
    Loops<T>::triad(b + end, c + end, a + end, scalar, n - end);
  }

  static KernelSet<T> set(const char* name) { return {name, copy, scale, add, triad}; }
};

}  // namespace
}  // namespace rackproof::stream
