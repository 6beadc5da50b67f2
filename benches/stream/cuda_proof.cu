#include <algorithm>
#include <source_location>

#include "benches/kit/cuda/launch.cuh"
#include "benches/stream/cuda_kernels.hpp"
#include "benches/stream/packs.cuh"

// Filling, checking and the dot product: what is around the four kernels.
namespace rackproof::stream {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 4096;

// Of a walk over `count` elements, by threads that stay where there are many.
kit::cuda::Shape shape_of(std::int64_t count, cudaStream_t stream,
                          std::source_location where = std::source_location::current()) {
  const std::int64_t blocks =
      std::clamp<std::int64_t>((count + kThreads - 1) / kThreads, 1, kMostBlocks);
  return {static_cast<unsigned>(blocks), kThreads, 0, stream, where};
}

__device__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t all_threads() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

template <class T>
__global__ void fill_kernel(DeviceArrays<T> arrays, std::uint64_t seed) {
  for (std::int64_t i = first_index(); i < arrays.count; i += all_threads()) {
    const T value = start_value<T>(seed, static_cast<std::uint64_t>(i));
    arrays.a[i] = value;
    // Of the wrong sign: an element that no kernel writes is found.
    arrays.b[i] = -value;
    arrays.c[i] = -value;
  }
}

template <class T>
__global__ void dot_fill_kernel(DeviceArrays<T> arrays, std::uint64_t seed) {
  for (std::int64_t i = first_index(); i < arrays.count; i += all_threads()) {
    arrays.a[i] = dot_value<T>(seed, static_cast<std::uint64_t>(i));
    arrays.b[i] = dot_value<T>(~seed, static_cast<std::uint64_t>(i));
  }
}

// What one thread finds; told once, so that an array that is wrong everywhere costs no more.
struct Finding {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ULL;

  __device__ void take(bool good, std::int64_t index, int array) {
    if (good) return;
    ++wrong;
    const unsigned long long place = 3 * static_cast<unsigned long long>(index) + array;
    first = place < first ? place : first;
  }

  __device__ void tell(DeviceVerdict* verdict) const {
    if (wrong == 0) return;
    atomicAdd(&verdict->wrong, wrong);
    atomicMin(&verdict->first, first);
  }
};

template <class T>
__global__ void verify_kernel(DeviceArrays<T> arrays, std::uint64_t seed, T factor_a, T factor_b,
                              T factor_c, DeviceVerdict* verdict) {
  Finding finding;
  for (std::int64_t i = first_index(); i < arrays.count; i += all_threads()) {
    const T start = start_value<T>(seed, static_cast<std::uint64_t>(i));
    finding.take(arrays.a[i] == start * factor_a, i, 0);
    finding.take(arrays.b[i] == start * factor_b, i, 1);
    finding.take(arrays.c[i] == start * factor_c, i, 2);
  }
  finding.tell(verdict);
}

template <class T>
__global__ void dot_verify_kernel(DeviceArrays<T> arrays, std::uint64_t seed,
                                  DeviceVerdict* verdict) {
  Finding finding;
  for (std::int64_t i = first_index(); i < arrays.count; i += all_threads()) {
    const auto index = static_cast<std::uint64_t>(i);
    finding.take(arrays.a[i] == dot_value<T>(seed, index), i, 0);
    finding.take(arrays.b[i] == dot_value<T>(~seed, index), i, 1);
  }
  finding.tell(verdict);
}

__global__ void dot_wanted_kernel(std::int64_t count, std::uint64_t seed, unsigned long long* sum) {
  unsigned long long mine = 0;
  for (std::int64_t i = first_index(); i < count; i += all_threads()) {
    const auto index = static_cast<std::uint64_t>(i);
    mine +=
        dot_value<unsigned long long>(seed, index) * dot_value<unsigned long long>(~seed, index);
  }
  atomicAdd(sum, mine);
}

// The sum over a block of kDotThreads, in its first thread.
__device__ double block_sum(double mine) {
  RACKPROOF_SHARED(double, warps, kDotThreads / 32);
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0U, mine, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = threadIdx.x < kDotThreads / 32 ? warps[threadIdx.x] : 0.0;
  if (threadIdx.x < 32) {
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0U, mine, offset);
  }
  return mine;
}

template <class T, int kWidth, int kUnroll>
__global__ void dot_kernel(DeviceArrays<T> arrays, double* partial) {
  using P = Pack<T, kWidth>;
  const std::int64_t packs = arrays.count / P::kCount;
  const std::int64_t step = all_threads();
  double sums[kUnroll] = {};
  for (std::int64_t i = first_index(); i < packs; i += kUnroll * step) {
    P a[kUnroll];
    P b[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const std::int64_t place = i + u * step < packs ? i + u * step : i;
      a[u] = P::load(arrays.a, place);
      b[u] = P::load(arrays.b, place);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (i + u * step >= packs) continue;
#pragma unroll
      for (int e = 0; e < P::kCount; ++e) {
        sums[u] += static_cast<double>(a[u].values[e]) * static_cast<double>(b[u].values[e]);
      }
    }
  }
  double mine = 0;
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) mine += sums[u];
  const double sum = block_sum(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void dot_sum_kernel(const double* partial, int count, double* result) {
  double mine = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kDotThreads) mine += partial[i];
  const double sum = block_sum(mine);
  if (threadIdx.x == 0) *result = sum;
}

}  // namespace

template <class T>
void launch_fill(const DeviceArrays<T>& arrays, std::uint64_t seed, cudaStream_t stream) {
  kit::cuda::launch(fill_kernel<T>, shape_of(arrays.count, stream), arrays, seed);
}

template <class T>
void launch_dot_fill(const DeviceArrays<T>& arrays, std::uint64_t seed, cudaStream_t stream) {
  kit::cuda::launch(dot_fill_kernel<T>, shape_of(arrays.count, stream), arrays, seed);
}

template <class T>
void launch_verify(const DeviceArrays<T>& arrays, std::uint64_t seed, T factor_a, T factor_b,
                   T factor_c, DeviceVerdict* verdict, cudaStream_t stream) {
  kit::cuda::launch(verify_kernel<T>, shape_of(arrays.count, stream), arrays, seed, factor_a,
                    factor_b, factor_c, verdict);
}

template <class T>
void launch_dot_verify(const DeviceArrays<T>& arrays, std::uint64_t seed, DeviceVerdict* verdict,
                       cudaStream_t stream) {
  kit::cuda::launch(dot_verify_kernel<T>, shape_of(arrays.count, stream), arrays, seed, verdict);
}

void launch_dot_wanted(std::int64_t count, std::uint64_t seed, unsigned long long* sum,
                       cudaStream_t stream) {
  kit::cuda::launch(dot_wanted_kernel, shape_of(count, stream), count, seed, sum);
}

template <class T>
void launch_dot(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors, double* partial,
                double* result, cudaStream_t stream) {
  // As many as run at once, by what each takes of registers: more leave a tail of some alone.
  const auto kernel = way.walk == Walk::kElement ? dot_kernel<T, sizeof(T), 1>
                      : way.width == 32          ? dot_kernel<T, 32, 4>
                                                 : dot_kernel<T, 16, 4>;
  int at_once = 0;
  RACKPROOF_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, kDotThreads, 0));
  const int blocks = dot_blocks(at_once, multiprocessors);
  kit::cuda::launch(kernel, {static_cast<unsigned>(blocks), kDotThreads, 0, stream}, arrays,
                    partial);
  kit::cuda::launch(dot_sum_kernel, {1, kDotThreads, 0, stream}, partial, blocks, result);
}

#define RACKPROOF_INSTANTIATE(T)                                                                 \
  template void launch_fill<T>(const DeviceArrays<T>&, std::uint64_t, cudaStream_t);             \
  template void launch_dot_fill<T>(const DeviceArrays<T>&, std::uint64_t, cudaStream_t);         \
  template void launch_verify<T>(const DeviceArrays<T>&, std::uint64_t, T, T, T, DeviceVerdict*, \
                                 cudaStream_t);                                                  \
  template void launch_dot_verify<T>(const DeviceArrays<T>&, std::uint64_t, DeviceVerdict*,      \
                                     cudaStream_t);                                              \
  template void launch_dot<T>(const Way&, const DeviceArrays<T>&, int, double*, double*,         \
                              cudaStream_t);
RACKPROOF_INSTANTIATE(double)
RACKPROOF_INSTANTIATE(float)
#undef RACKPROOF_INSTANTIATE

}  // namespace rackproof::stream
