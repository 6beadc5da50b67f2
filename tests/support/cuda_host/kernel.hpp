#pragma once

// What a .cu file finds here in place of what nvcc knows: it is compiled as C++ with this file in
// front of it. Every access to memory in it is instrumented as for the thread sanitizer, whose
// functions are in access.cpp.

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/support/cuda_host/block.hpp"

#undef __global__
#undef __launch_bounds__
#define __global__ __attribute__((noinline))
#define __launch_bounds__(...)
// Of the newest generation whose instructions the kernels use.
#define __CUDA_ARCH__ 900

#define threadIdx (::rackproof::cuda_host::thread_index())
#define blockIdx (::rackproof::cuda_host::block_index())
#define blockDim (::rackproof::cuda_host::block_dimensions())
#define gridDim (::rackproof::cuda_host::grid_dimensions())

// An address for this place in the program, and for this instantiation.
#define RACKPROOF_SITE               \
  ([]() -> const void* {             \
    static constexpr char kSite = 0; \
    return &kSite;                   \
  }())
#define __syncthreads() ::rackproof::cuda_host::block_barrier(RACKPROOF_SITE)
#define __shfl_down_sync(mask, value, delta) \
  ::rackproof::cuda_host::shuffle_down(mask, value, static_cast<int>(delta), RACKPROOF_SITE)

namespace rackproof::cuda_host {

template <class T>
[[gnu::no_sanitize_thread]] inline T shuffle_down(std::uint32_t mask, T value, int delta,
                                                  const void* site) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const int from = lane() + delta < 32 ? lane() + delta : lane();
  bits = exchange(mask, bits, from, site);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

unsigned long long atomic_add(unsigned long long* to, unsigned long long by);
unsigned long long atomic_min(unsigned long long* to, unsigned long long value);
unsigned long long atomic_swap_if(unsigned long long* to, unsigned long long wanted,
                                  unsigned long long value);

}  // namespace rackproof::cuda_host

inline unsigned long long atomicAdd(unsigned long long* to, unsigned long long by) {
  return ::rackproof::cuda_host::atomic_add(to, by);
}
inline unsigned long long atomicMin(unsigned long long* to, unsigned long long value) {
  return ::rackproof::cuda_host::atomic_min(to, value);
}
inline unsigned long long atomicCAS(unsigned long long* to, unsigned long long wanted,
                                    unsigned long long value) {
  return ::rackproof::cuda_host::atomic_swap_if(to, wanted, value);
}

template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          void (*kernel)(Parameters...),
                                                          int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), threads, shared);
}
