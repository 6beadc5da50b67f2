#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "benches/kit/cuda/launch.cuh"
#include "benches/stream/cuda_kernels.hpp"
#include "benches/stream/packs.cuh"

// What all walks of the four kernels share.
namespace rackproof::stream {

template <Kernel kKernel>
constexpr bool kTwo = kKernel == Kernel::kAdd || kKernel == Kernel::kTriad;

/// What a kernel reads and where it writes; never the same array.
template <class T>
struct Operands {
  const T* x = nullptr;
  const T* y = nullptr;
  T* to = nullptr;
};

template <Kernel kKernel, class T>
Operands<T> operands(const DeviceArrays<T>& arrays) {
  if constexpr (kKernel == Kernel::kCopy) return {arrays.a, nullptr, arrays.c};
  if constexpr (kKernel == Kernel::kScale) return {arrays.c, nullptr, arrays.b};
  if constexpr (kKernel == Kernel::kAdd) return {arrays.a, arrays.b, arrays.c};
  return {arrays.b, arrays.c, arrays.a};
}

template <Kernel kKernel, class T>
__device__ T apply(T x, T y) {
  if constexpr (kKernel == Kernel::kCopy) return x;
  if constexpr (kKernel == Kernel::kScale) return T(kScalar) * x;
  if constexpr (kKernel == Kernel::kAdd) return x + y;
  return x + T(kScalar) * y;
}

/// The result of one pack; `y` counts where there are two operands.
template <Kernel kKernel, class T, int kWidth>
__device__ Pack<T, kWidth> apply_to(const Pack<T, kWidth>& x, const Pack<T, kWidth>& y) {
  Pack<T, kWidth> result;
#pragma unroll
  for (int i = 0; i < Pack<T, kWidth>::kCount; ++i) {
    T second = T(0);
    if constexpr (kTwo<kKernel>) second = y.values[i];
    result.values[i] = apply<kKernel, T>(x.values[i], second);
  }
  return result;
}

/// Blocks of a walk that stays: as many as the way asks for and as run at once, by what each takes
/// of registers and shared memory. More would leave a tail of some alone.
template <class... Parameters>
unsigned blocks_that_stay(void (*kernel)(Parameters...), const Way& way, std::size_t shared,
                          int multiprocessors) {
  int at_once = 0;
  RACKPROOF_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, way.threads, shared));
  const int wanted = way.blocks_per_sm > 0 ? std::min(way.blocks_per_sm, at_once) : at_once;
  return static_cast<unsigned>(multiprocessors * std::max(1, wanted));
}

/// Calls `launch` with the kernel as its template's argument.
template <class Launch>
void with_kernel(Kernel kernel, const Launch& launch) {
  switch (kernel) {
    case Kernel::kCopy:
      return launch.template operator()<Kernel::kCopy>();
    case Kernel::kScale:
      return launch.template operator()<Kernel::kScale>();
    case Kernel::kAdd:
      return launch.template operator()<Kernel::kAdd>();
    case Kernel::kTriad:
      return launch.template operator()<Kernel::kTriad>();
  }
}

/// What is not compiled cannot be launched: a way that ways_for() never names is an error in the
/// bench.
[[noreturn]] inline void refuse(const Way& way) {
  throw std::logic_error("no kernel for " + name_of(way));
}

/// The part of launch() for ways of kBulk.
template <class T>
void launch_bulk(Kernel kernel, const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                 cudaStream_t stream);

}  // namespace rackproof::stream
