#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

/// A CUDA runtime and an NCCL for tests without a GPU, in place of the real ones: devices are parts
/// of the host's memory, and what is queued on a stream is done in order, as soon as it can be; a
/// message that nobody sent is waited for. Members may be driven by different threads.
namespace rackproof::fake_nccl {

struct Machine {
  int devices = 2;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of each device
  /// Called for each message that arrives; may change it; false: it is lost, and counts as
  /// received.
  std::function<bool(int from, int to, std::byte* data, std::size_t bytes)> arrives;
  int failing_rank = -1;           ///< its calls of ncclSend report an error ...
  std::int64_t failing_after = 0;  ///< ... after so many
  bool gathers_fail = false;       ///< each call of ncclAllGather reports an error
};

void start(const Machine& machine);

/// Pieces of memory, streams, events and communicators that were not given back.
std::int64_t leaked();
/// Communicators that were aborted.
std::int64_t aborted();
/// Pieces of memory of a device that were given back while a communicator lived.
std::int64_t freed_beside_communicators();

}  // namespace rackproof::fake_nccl
