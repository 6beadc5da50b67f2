#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>

#include "benches/stream/kernels.hpp"
#include "benches/stream/loops.hpp"

namespace rackproof::stream {
namespace {

// Non-temporal stores of x86-64 are weakly ordered, and no barrier of a library waits for them;
// those of aarch64 are ordered as all its stores are.
void finish_stores() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// The same four kernels with stores that write past the caches, so that no line is read only to be
// overwritten. Simd is one vector register (or a pair): Element, width(), load, set, multiply, add,
// stream. What is left after the last whole vector is done by the ordinary loop.
template <class Simd>
struct Nontemporal {
  using T = typename Simd::Element;

  static std::size_t whole(std::size_t n) { return n - n % Simd::width(); }

  static void copy(const T* a, T* c, std::size_t n) {
    const std::size_t end = whole(n);
    for (std::size_t i = 0; i < end; i += Simd::width()) Simd::stream(c + i, Simd::load(a + i));
    finish_stores();
    Loops<T>::copy(a + end, c + end, n - end);
  }

  static void scale(const T* c, T* b, T scalar, std::size_t n) {
    const std::size_t end = whole(n);
    const auto s = Simd::set(scalar);
    for (std::size_t i = 0; i < end; i += Simd::width()) {
      Simd::stream(b + i, Simd::multiply(s, Simd::load(c + i)));
    }
    finish_stores();
    Loops<T>::scale(c + end, b + end, scalar, n - end);
  }

  static void add(const T* a, const T* b, T* c, std::size_t n) {
    const std::size_t end = whole(n);
    for (std::size_t i = 0; i < end; i += Simd::width()) {
      Simd::stream(c + i, Simd::add(Simd::load(a + i), Simd::load(b + i)));
    }
    finish_stores();
    Loops<T>::add(a + end, b + end, c + end, n - end);
  }

  static void triad(const T* b, const T* c, T* a, T scalar, std::size_t n) {
    const std::size_t end = whole(n);
    const auto s = Simd::set(scalar);
    for (std::size_t i = 0; i < end; i += Simd::width()) {
      Simd::stream(a + i, Simd::add(Simd::load(b + i), Simd::multiply(s, Simd::load(c + i))));
    }
    finish_stores();
    Loops<T>::triad(b + end, c + end, a + end, scalar, n - end);
  }

  static KernelSet<T> set(const char* name) { return {name, copy, scale, add, triad}; }
};

}  // namespace
}  // namespace rackproof::stream
