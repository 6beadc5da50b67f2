#include "tests/device/layer/words.hpp"

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/cuda/ptx.cuh"

namespace rackproof::device_tests {
namespace {

constexpr int kThreads = 64;
constexpr unsigned kAll = ~0U;

__global__ void words_kernel(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             std::int64_t count, Made* made) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t x = a[i];
  const std::uint32_t y = b[i];
  const std::uint32_t z = c[i];
  Made& to = made[i];
  to.max3 = __vimax3_s16x2(x, y, z);
  to.add_max = __viaddmax_s16x2(x, y, z);
  to.max3_of_32 = __vimax3_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  to.add_max_of_32 = __viaddmax_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  to.bytes = kit::cuda::permute_bytes(x, y, z);
  to.larger = kit::cuda::larger_halves(x, y);
  to.sum = kit::cuda::add_halves(x, y);
  to.sum_from_zero = kit::cuda::add_halves_from_zero(x, y);
}

__global__ void shuffles_kernel(Got* got) {
  const int mine = static_cast<int>(threadIdx.x) * 10;
  Got& to = got[threadIdx.x];
  to.from_third = __shfl_sync(kAll, mine, 3);
  to.from_second_of_four = __shfl_sync(kAll, mine, 5, 4);
  to.above_of_eight = __shfl_up_sync(kAll, mine, 1, 8);
  to.five_above = __shfl_up_sync(kAll, mine, 5);
  to.below_of_four = __shfl_down_sync(kAll, mine, 1, 4);
}

}  // namespace

void queue_words(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                 std::int64_t count, Made* made, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  kit::cuda::launch(words_kernel, {blocks, kThreads, 0, stream}, a, b, c, count, made);
}

void queue_shuffles(Got* got, cudaStream_t stream) {
  kit::cuda::launch(shuffles_kernel, {1, 32, 0, stream}, got);
}

}  // namespace rackproof::device_tests
