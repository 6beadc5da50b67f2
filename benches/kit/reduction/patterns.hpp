#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "benches/kit/reduction/kinds.hpp"
#include "benches/kit/reduction/slots.hpp"

namespace rackproof::reduction {

/// The buffers of all slots of a batch, on one device: slot s begins `stride` bytes behind slot
/// s-1.
struct Slots {
  char* base = nullptr;
  std::int64_t stride = 0;
  int count = 1;
};

/// What lies in them.
struct SlotData {
  Dtype dtype = Dtype::kFloat;
  std::optional<RedOp> redop;
  elements::SlotRule rule;
};

/// Which elements of an input are written: all, or those that carry the stamp.
enum class Fill { kAll, kStamps };

/// Queues writing `count` elements of the input of `rank` in every slot. Throws
/// DeviceError when the launch is refused.
void fill_async(const SlotData& data, Fill fill, int rank, std::int64_t count, const Slots& slots,
                cudaStream_t stream);

/// A Segment of an output, for the device.
struct DeviceSegment {
  int source;  ///< negative: the reduction over all ranks
  std::int64_t index;
  std::int64_t offset;
  std::int64_t count;
};

/// What is wrong in one slot: how many elements, and the first one's place in the output.
struct SlotFindings {
  unsigned long long wrong;
  unsigned long long first;
};
inline constexpr unsigned long long kNoneWrong = ~0ULL;

/// Queues comparing every element of every segment of every slot, bit by bit, with what it must be.
/// `segments` and `findings` (one for each slot; {0, kNoneWrong} before) are on the device;
/// `longest` is the largest count of a segment. Throws DeviceError when the launch is refused.
void verify_async(const SlotData& data, const DeviceSegment* segments, int segment_count,
                  std::int64_t longest, const Slots& slots, SlotFindings* findings,
                  cudaStream_t stream);

}  // namespace rackproof::reduction
