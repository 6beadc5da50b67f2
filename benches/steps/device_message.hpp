#pragma once

#include <nccl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/reduction/patterns.hpp"

namespace rackproof::steps {

/// What was found wrong in the messages of one rank.
struct MessageFindings {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::int64_t element = -1;  ///< the first wrong one
  std::uint64_t got = 0;      ///< its bits
  std::uint64_t want = 0;
};

/// What becomes of the data of a message.
enum class Exchange {
  kAllReduce,      ///< every rank gets the sum
  kAllGather,      ///< each has a part, every rank gets all parts
  kReduceScatter,  ///< each gets a part of the sum
};

/// The data of a message in place on one device, each element of which has one right value whatever
/// the order. Each message has other numbers than the one before, so that one that did not take
/// place is seen. Everything is queued on the stream that is given. Move-only; used with its device
/// current.
class DeviceMessage {
 public:
  /// Of `count` elements, all parts together: of an exchange of parts a multiple of the ranks.
  /// Takes the memory; throws UsageError when there is too little.
  DeviceMessage(reduction::Dtype dtype, std::int64_t count, int ranks, std::uint64_t seed,
                const kit::cuda::Stream& stream, Exchange exchange = Exchange::kAllReduce,
                int rank = 0);

  /// The input of `rank` of the message with that number.
  void fill(int rank, std::uint64_t number, const kit::cuda::Stream& stream);
  void queue(ncclComm_t group, int rank, const kit::cuda::Stream& stream);
  /// Test only: flips a bit of the result.
  void inject(const kit::Injection& injection, const kit::cuda::Stream& stream);
  /// Queues comparing every element of the result.
  void verify(const kit::cuda::Stream& stream);
  /// Once that is over: adds what was found.
  void take_findings();

  const MessageFindings& findings() const { return findings_; }

 private:
  std::vector<reduction::DeviceSegment> results(int rank, int ranks) const;
  char* at(std::int64_t element) const {
    return static_cast<char*>(memory_.data()) + element * width_;
  }
  void find_first();

  Exchange exchange_;
  reduction::SlotData data_;
  std::uint64_t seed_;
  std::int64_t count_;
  std::int64_t width_;
  std::int64_t part_;  ///< elements that a rank brings, or keeps
  kit::cuda::DeviceMemory memory_;
  std::vector<reduction::DeviceSegment> parts_;  ///< of the result, by whose elements they are
  kit::cuda::DeviceBuffer<reduction::DeviceSegment> segments_;
  // Outlives what is copied into it: giving that back waits for the device, whose last copy may
  // still be under way after an abort.
  kit::cuda::PinnedBuffer<reduction::SlotFindings> found_here_;
  kit::cuda::DeviceBuffer<reduction::SlotFindings> found_;
  MessageFindings findings_;
};

}  // namespace rackproof::steps
