#pragma once

#include "benches/collectives/cell.hpp"

namespace rackproof::collectives {

/// The batches of a cell on a device: as many slots as fit into 256 MiB of inputs and outputs, 64
/// at most, so that the operations of a batch find neither their data nor each other's in the
/// cache. With eight or more the times of the first two are dropped: ranks leave the alignment
/// before a batch microseconds apart. All launches of a graph are timed as one, and none dropped.
/// Of others so many are timed as one, up to 31, as move 32 MiB: an event costs up to half a
/// microsecond (the resolution of the device's timer by CUDA's documentation), which would be a few
/// percent of a short operation.
BatchPlan plan_slots(const Shape& shape, std::size_t element_bytes, bool in_place, Launch launch);

/// Bytes from one slot to the next: the buffer, up to a multiple of 512 B, which is more than any
/// vector load or registered page asks of its alignment within a region.
std::int64_t slot_stride(std::int64_t bytes);

/// Where, in elements from the slot's begin, the input and the output of `rank` lie in place.
struct InPlaceOffsets {
  std::int64_t in = 0;
  std::int64_t out = 0;
};
InPlaceOffsets in_place_offsets(Operation operation, const Shape& shape, int rank);

}  // namespace rackproof::collectives
