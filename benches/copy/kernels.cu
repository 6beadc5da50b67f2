#include "benches/copy/kernels.hpp"
#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/cuda/ptx.cuh"

namespace rackproof::copy {
namespace {

// Half of what the smallest multiprocessor holds (1536 threads): two kernels, one for each
// direction, run side by side.
constexpr int kThreads = 384;
constexpr int kBlocksPerMultiprocessor = 2;
constexpr int kUnroll = 4;

__global__ void __launch_bounds__(kThreads, 2 * kBlocksPerMultiprocessor)
    copy_kernel(uint4* __restrict__ to, const uint4* __restrict__ from, std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
  std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  for (; i + (kUnroll - 1) * stride < count; i += kUnroll * stride) {
    uint4 held[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) held[k] = from[i + k * stride];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) to[i + k * stride] = held[k];
  }
  for (; i < count; i += stride) to[i] = from[i];
}

__global__ void hold_kernel(const volatile int* open, volatile int* gave_up,
                            std::uint64_t limit_ns) {
  const std::uint64_t start = kit::cuda::nanoseconds();
  while (*open == 0) {
    if (kit::cuda::nanoseconds() - start > limit_ns) {
      *gave_up = 1;
      return;
    }
  }
}

__global__ void walk_kernel(const volatile std::uint64_t* ring, std::uint64_t start, Walk* out) {
  *out = walk(ring, start, kSteps);
}

}  // namespace

void queue_copy(void* to, const void* from, std::int64_t bytes, int multiprocessors,
                cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(kBlocksPerMultiprocessor * multiprocessors);
  kit::cuda::launch(copy_kernel, {blocks, kThreads, 0, stream}, static_cast<uint4*>(to),
                    static_cast<const uint4*>(from), bytes / std::int64_t{sizeof(uint4)});
}

void queue_hold(const int* open, int* gave_up, std::uint64_t limit_ns, cudaStream_t stream) {
  kit::cuda::launch(hold_kernel, {1, 1, 0, stream}, open, gave_up, limit_ns);
}

void queue_walk(const std::uint64_t* ring, std::uint64_t start, Walk* out, cudaStream_t stream) {
  kit::cuda::launch(walk_kernel, {1, 1, 0, stream}, ring, start, out);
}

}  // namespace rackproof::copy
