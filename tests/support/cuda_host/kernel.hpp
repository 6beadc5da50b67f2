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
#include "tests/support/cuda_host/packed.hpp"

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
// Of the mask, the value, a lane or how far it is away, and, where it is not a warp, of how many
// lanes a group is.
#define __shfl_sync(...) ::rackproof::cuda_host::shuffle(RACKPROOF_SITE, __VA_ARGS__)
#define __shfl_up_sync(...) ::rackproof::cuda_host::shuffle_up(RACKPROOF_SITE, __VA_ARGS__)
#define __shfl_down_sync(...) ::rackproof::cuda_host::shuffle_down(RACKPROOF_SITE, __VA_ARGS__)

namespace rackproof::cuda_host {

inline constexpr int kWarpLanes = 32;

/// The first lane of the group of `width` lanes that this one is of; ends the program where a warp
/// has no such groups.
int group_of(int width);

template <class T>
[[gnu::no_sanitize_thread]] inline T shuffle_from(const void* site, std::uint32_t mask, T value,
                                                  int from) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = exchange(mask, bits, from, site);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
[[gnu::no_sanitize_thread]] inline T shuffle(const void* site, std::uint32_t mask, T value,
                                             int from, int width = kWarpLanes) {
  const int first = group_of(width);
  return shuffle_from(site, mask, value, first + (from & (width - 1)));
}

// A lane for which there is none above, or below, in its group gets its own.
template <class T>
[[gnu::no_sanitize_thread]] inline T shuffle_up(const void* site, std::uint32_t mask, T value,
                                                unsigned delta, int width = kWarpLanes) {
  const int from = lane() - static_cast<int>(delta);
  return shuffle_from(site, mask, value, from >= group_of(width) ? from : lane());
}

template <class T>
[[gnu::no_sanitize_thread]] inline T shuffle_down(const void* site, std::uint32_t mask, T value,
                                                  unsigned delta, int width = kWarpLanes) {
  const int from = lane() + static_cast<int>(delta);
  return shuffle_from(site, mask, value, from < group_of(width) + width ? from : lane());
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
