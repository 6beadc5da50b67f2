#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "benches/stream/cuda_plan.hpp"
#include "benches/stream/values.hpp"

namespace rackproof::stream {

/// Three arrays of `count` elements on the current device, `count` a multiple of the granule.
template <class T>
struct DeviceArrays {
  T* a = nullptr;
  T* b = nullptr;
  T* c = nullptr;
  std::int64_t count = 0;
};

/// Queues one kernel: c = a, b = 2 c, c = a + b or a = b + 2 c. `multiprocessors` sizes the walks
/// that stay. Throws DeviceError when the launch is refused.
template <class T>
void launch(Kernel kernel, const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
            cudaStream_t stream);

/// Queues `*result` = sum of a[i] * b[i] in double; `partial` has room for kDotBlocks. `way` is one
/// of dot_ways_for().
template <class T>
void launch_dot(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors, double* partial,
                double* result, cudaStream_t stream);

/// Queues filling the arrays with start_value: a, -a, -a.
template <class T>
void launch_fill(const DeviceArrays<T>& arrays, std::uint64_t seed, cudaStream_t stream);

/// Queues filling a and b with dot_value of seeds `seed` and ~`seed`.
template <class T>
void launch_dot_fill(const DeviceArrays<T>& arrays, std::uint64_t seed, cudaStream_t stream);

/// What a check kernel found; set to {0, the largest} before.
struct DeviceVerdict {
  unsigned long long wrong;
  unsigned long long first;  ///< lowest 3 * index + array of a wrong element
};

/// Queues comparing every element of the three arrays with its start value times factor_a,
/// factor_b, factor_c.
template <class T>
void launch_verify(const DeviceArrays<T>& arrays, std::uint64_t seed, T factor_a, T factor_b,
                   T factor_c, DeviceVerdict* verdict, cudaStream_t stream);

/// Queues comparing every element of a and b with what launch_dot_fill wrote.
template <class T>
void launch_dot_verify(const DeviceArrays<T>& arrays, std::uint64_t seed, DeviceVerdict* verdict,
                       cudaStream_t stream);

/// Queues adding the wanted dot product, in integers made from the seeds alone, to `*sum`.
void launch_dot_wanted(std::int64_t count, std::uint64_t seed, unsigned long long* sum,
                       cudaStream_t stream);

}  // namespace rackproof::stream
