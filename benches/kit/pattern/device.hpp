#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/pattern/pattern.hpp"

namespace rackproof::kit::pattern {

/// What the compare kernel counts: words that differ, and the least index of one.
struct Tally {
  unsigned long long wrong;
  unsigned long long first;
};

/// Queues on a stream of the current device what fill() does, in any memory that it can reach.
void queue_fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask,
                cudaStream_t stream);

/// Queues a comparison that adds to `tally`, which lies in the device's memory.
void queue_compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key, Tally* tally,
                   cudaStream_t stream);

/// Compares on the device that was the current one when it was made, which must be so again.
class DeviceComparer {
 public:
  DeviceComparer() : tally_(1) {}

  /// Compares what lies at `got` once everything queued on `stream` is done, and waits for it.
  Difference compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key,
                     const cuda::Stream& stream);

 private:
  cuda::DeviceBuffer<Tally> tally_;
};

}  // namespace rackproof::kit::pattern
