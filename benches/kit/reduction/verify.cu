#include "benches/kit/reduction/patterns_device.cuh"

namespace rackproof::reduction {
namespace {

template <class T, class Generator, bool kReduced>
__device__ void verify_segment(const elements::SlotKeys& keys, const DeviceSegment& segment,
                               const elements::Bits<T>* out, SlotFindings* findings) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kThreads;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  unsigned long long wrong = 0;
  unsigned long long first = kNoneWrong;
  for (; i < segment.count; i += threads) {
    const elements::Bits<T> want =
        elements::slot_element<T, Generator, kReduced>(keys, segment.index + i);
    if (out[segment.offset + i] == want) continue;
    if (wrong == 0) first = static_cast<unsigned long long>(segment.offset + i);
    ++wrong;
  }
  // A right output costs no atomic operation.
  if (wrong == 0) return;
  atomicAdd(&findings->wrong, wrong);
  atomicMin(&findings->first, first);
}

// Rows of blocks for segments, layers for slots.
template <class T, class Generator>
__global__ void __launch_bounds__(kThreads)
    verify_slots(elements::SlotRule rule, const DeviceSegment* segments, int segment_count,
                 Slots slots, SlotFindings* findings) {
  const int slot = static_cast<int>(blockIdx.z);
  const auto* out = reinterpret_cast<const elements::Bits<T>*>(slots.base + slot * slots.stride);
  for (int s = static_cast<int>(blockIdx.y); s < segment_count; s += static_cast<int>(gridDim.y)) {
    const DeviceSegment segment = segments[s];
    const elements::SlotKeys keys(rule, slot, segment.source);
    if constexpr (std::is_same_v<Generator, elements::Moved<T>>) {
      verify_segment<T, Generator, false>(keys, segment, out, findings + slot);
    } else {
      // What is reduced is nowhere compared with an input.
      verify_segment<T, Generator, true>(keys, segment, out, findings + slot);
    }
  }
}

}  // namespace

void verify_async(const SlotData& data, const DeviceSegment* segments, int segment_count,
                  std::int64_t longest, const Slots& slots, SlotFindings* findings,
                  cudaStream_t stream) {
  constexpr int kMostRows = 32'768;
  const int rows = std::min(segment_count, kMostRows);
  const dim3 blocks(blocks_for(longest, std::int64_t{slots.count} * rows),
                    static_cast<unsigned>(rows), static_cast<unsigned>(slots.count));
  with_type(data.dtype, [&](auto zero) {
    using T = decltype(zero);
    with_generator<T>(data.redop, [&](auto generator) {
      kit::cuda::launch(verify_slots<T, decltype(generator)>, {blocks, kThreads, 0, stream},
                        data.rule, segments, segment_count, slots, findings);
    });
  });
}

}  // namespace rackproof::reduction
