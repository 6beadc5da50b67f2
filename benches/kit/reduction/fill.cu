#include "benches/kit/reduction/patterns_device.cuh"

namespace rackproof::reduction {
namespace {

// A thread writes every n-th of the elements that are asked for, in the slot of its row of blocks.
template <class T, class Generator>
__global__ void __launch_bounds__(kThreads)
    fill_slots(elements::SlotRule rule, int rank, std::int64_t count, std::int64_t step,
               Slots slots) {
  const int slot = static_cast<int>(blockIdx.y);
  const elements::SlotKeys keys(rule, slot, rank);
  auto* out = reinterpret_cast<elements::Bits<T>*>(slots.base + slot * slots.stride);
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kThreads;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  for (std::int64_t i = first * step; i < count; i += threads * step) {
    out[i] = elements::slot_element<T, Generator, false>(keys, i);
  }
}

}  // namespace

void fill_async(const SlotData& data, Fill fill, int rank, std::int64_t count, const Slots& slots,
                cudaStream_t stream) {
  const std::int64_t step = fill == Fill::kStamps ? kStampStride : 1;
  const dim3 blocks(blocks_for((count + step - 1) / step, slots.count),
                    static_cast<unsigned>(slots.count));
  with_type(data.dtype, [&](auto zero) {
    using T = decltype(zero);
    with_generator<T>(data.redop, [&](auto generator) {
      kit::cuda::launch(fill_slots<T, decltype(generator)>, {blocks, kThreads, 0, stream},
                        data.rule, rank, count, step, slots);
    });
  });
}

}  // namespace rackproof::reduction
