#pragma once

#include <cstddef>
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
};

/// Set while no stream has work.
Play& play();

/// The machine from now on; how many devices there are stays as it was.
Machine& machine_to_change();

/// For one case: at its end there is no play, and the machine is again what it was.
class Stage {
 public:
  Stage() = default;
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  const Machine before_ = machine();
};

/// Pieces of memory and streams that were not given back.
std::size_t still_held();

}  // namespace rackproof::cuda_host
