#pragma once

#include <cstdint>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/pattern/device.hpp"
#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// Messages in the memory of the device that is current when it is made and used. All memory is
/// taken at once: to take or give back some later could wait for kernels that wait for another
/// member.
class DeviceArea {
 public:
  /// For batches of up to `span` bytes; holds nothing when the device has not as much memory.
  explicit DeviceArea(std::int64_t span);

  bool holds(std::int64_t span) const { return span <= span_; }
  void write(std::uint64_t key, const Batch& batch);
  void poison(std::uint64_t key, const Batch& batch);
  Found compare(std::uint64_t key, const Batch& batch);
  void spoil(const kit::Injection& injection, const Batch& batch);

  std::uint64_t* sent(std::int64_t slot, const Batch& batch) const;
  std::uint64_t* received(std::int64_t slot, const Batch& batch) const;

 private:
  kit::cuda::Stream stream_;
  kit::cuda::DeviceBuffer<std::uint64_t> sent_;
  kit::cuda::DeviceBuffer<std::uint64_t> received_;
  kit::cuda::DeviceBuffer<kit::pattern::Tally> tallies_;
  std::int64_t span_ = -1;
};

}  // namespace rackproof::pairs
