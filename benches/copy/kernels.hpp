#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "benches/copy/chase.hpp"

namespace rackproof::copy {

/// Queues a copy of `bytes` (a multiple of 16) by the multiprocessors of the current device. Two of
/// them fit on the device side by side. 48 KiB in flight on each multiprocessor.
void queue_copy(void* to, const void* from, std::int64_t bytes, int multiprocessors,
                cudaStream_t stream);

/// Queues a kernel that holds the stream until `*open` is no longer 0, and gives up after
/// `limit_ns`, with 1 in `*gave_up`. Both lie in page-locked memory of the host.
void queue_hold(const int* open, int* gave_up, std::uint64_t limit_ns, cudaStream_t stream);

/// Queues one walk of kSteps steps by one thread; the result goes to `*out`.
void queue_walk(const std::uint64_t* ring, std::uint64_t start, Walk* out, cudaStream_t stream);

}  // namespace rackproof::copy
