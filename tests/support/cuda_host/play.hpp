#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tests/support/cuda_host/machine.hpp"

// What a test makes happen on the machine that its own process plays, where words of
// RACKPROOF_CUDA_HOST would need a process for each case.
namespace rackproof::cuda_host {

/// Page-locked memory of the host, and memory that CUDA does not know, among devices.
inline constexpr int kHostPlace = -1;
inline constexpr int kNoPlace = -2;

/// An operation that has ended.
struct Done {
  std::string_view operation;  ///< "a copy of 65536 B", "kernel copy::copy_kernel"
  int device = 0;              ///< whose stream it was on
  int from = kNoPlace;         ///< the memory that it read last
  int to = kNoPlace;           ///< the memory that it wrote last
  char* written = nullptr;     ///< where it wrote last; may be changed
};

/// Called on the threads of streams, one call at a time.
struct Play {
  /// Before each kernel, copy and call of a library; false: it does nothing.
  std::function<bool(int device, std::string_view operation)> begins;
  /// After each that did something.
  std::function<void(const Done&)> after;
  /// How many seconds each is to have taken: with it, time between events is counted and not
  /// measured.
  std::function<double(const Done&)> seconds;

  /// Before each collective, send and receive of NCCL is queued; false: the call gives
  /// ncclSystemError.
  std::function<bool(std::string_view call, int rank)> queues;
  /// Before a message of NCCL arrives; false: it is lost, and counts as received.
  std::function<bool(int from, int to, std::size_t bytes)> carries;
  /// After it has.
  std::function<void(int from, int to, char* data, std::size_t bytes)> arrived;
  /// After each operation of a communicator, counted from 1, with what came out at this rank.
  std::function<void(int rank, std::int64_t operation, char* out)> came_out;
  bool registers = true;  ///< false: NCCL passes buffers over that are to be registered
  /// When groups of NCCL come together.
  enum class Together { kWhenAllCame, kAtOnce, kNever };
  Together together = Together::kWhenAllCame;
};

/// Set while no stream has work.
Play& play();

/// What has happened since the last Stage began.
struct Counts {
  std::atomic<int> communicators = 0;  ///< neither destroyed nor aborted
  std::atomic<int> aborted = 0;
  std::atomic<int> registrations = 0;  ///< in force
  std::atomic<int> graphs = 0;         ///< that were not destroyed
  std::atomic<int> graph_launches = 0;
  /// Memory of devices given back while there was a communicator.
  std::atomic<int> freed_beside_communicators = 0;
};
Counts& counts();

/// The machine from now on.
Machine& machine_to_change();

/// For one case: at its end there is no play, and the machine is again what it was.
class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  const Machine before_ = machine();
};

/// Pieces of memory and streams that were not given back.
std::size_t still_held();

}  // namespace rackproof::cuda_host
