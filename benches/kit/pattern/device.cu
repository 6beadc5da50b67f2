#include <algorithm>

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/pattern/device.hpp"

namespace rackproof::kit::pattern {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 2048;

__global__ void __launch_bounds__(kThreads)
    fill_kernel(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words;
       i += stride) {
    to[i] = word(key, i) ^ mask;
  }
}

__global__ void __launch_bounds__(kThreads)
    compare_kernel(const std::uint64_t* got, std::int64_t words, std::uint64_t key, Tally* tally) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  unsigned long long wrong = 0;
  std::int64_t first = -1;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words;
       i += stride) {
    if (got[i] == word(key, i)) continue;
    if (wrong == 0) first = i;
    ++wrong;
  }
  if (wrong == 0) return;
  atomicAdd(&tally->wrong, wrong);
  atomicMin(&tally->first, static_cast<unsigned long long>(first));
}

unsigned blocks_for(std::int64_t words) {
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((words + kThreads - 1) / kThreads, 1, kMostBlocks));
}

}  // namespace

void queue_fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask,
                cudaStream_t stream) {
  kit::cuda::launch(fill_kernel, {blocks_for(words), kThreads, 0, stream}, to, words, key, mask);
}

void queue_compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key, Tally* tally,
                   cudaStream_t stream) {
  kit::cuda::launch(compare_kernel, {blocks_for(words), kThreads, 0, stream}, got, words, key,
                    tally);
}

}  // namespace rackproof::kit::pattern
