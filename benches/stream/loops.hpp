#pragma once

#include <cstddef>

#include "benches/stream/kernels.hpp"

namespace rackproof::stream {
namespace {

// The loops of the original. Internal linkage: each file that includes this has its own, compiled
// with its own flags.
template <class T>
struct Loops {
  static void copy(const T* __restrict a, T* __restrict c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i];
  }
  static void scale(const T* __restrict c, T* __restrict b, T scalar, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) b[i] = scalar * c[i];
  }
  static void add(const T* __restrict a, const T* __restrict b, T* __restrict c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
  static void triad(const T* __restrict b, const T* __restrict c, T* __restrict a, T scalar,
                    std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + scalar * c[i];
  }
  static KernelSet<T> set(const char* name) { return {name, copy, scale, add, triad}; }
};

}  // namespace
}  // namespace rackproof::stream
