#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "benches/copy/chase.hpp"
#include "benches/copy/plan.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"

namespace rackproof::copy {

/// Makes `ordinal` (as the CUDA runtime counts) the current device of this thread.
void use(int ordinal);

/// One flow with its addresses: what the streams are given.
struct Leg {
  int ordinal = 0;  ///< of the device that moves the data
  int multiprocessors = 0;
  const std::uint64_t* from = nullptr;
  std::uint64_t* to = nullptr;
};

/// Holds streams until all work is queued. A kernel spins on a flag in the host's memory; what was
/// queued behind it begins when the flag is set.
class Gate {
 public:
  Gate();

  /// Queues the kernel on a stream of the current device.
  void hold(const kit::cuda::Stream& stream);
  void open();
  /// Throws kit::DeviceError when a kernel gave up before the gate was opened: then the times are
  /// those of queueing.
  void require_held() const;

 private:
  kit::cuda::PinnedBuffer<int> flags_;  // open, gave up
};

/// One measurement: `legs` at the same time, each `window.copies` copies in a row on a stream of
/// its own, held until all are queued.
class Race {
 public:
  Race(const std::vector<Leg>& legs, Engine engine, const Window& window);

  struct Times {
    std::vector<double> seconds;  ///< of each leg, by its own device's clock
    double all = 0;               ///< from the start of the first leg to the end of the last
  };

  /// Runs once. Without `held` the gate is open from the start: the first run, which loads kernels
  /// and maps memory, must not do so while the device spins.
  Times run(bool held);

 private:
  struct Lane {
    Leg leg;
    kit::cuda::Stream stream;
    kit::cuda::Event start;
    kit::cuda::Event stop;
  };

  void queue(const Lane& lane) const;

  Engine engine_;
  Window window_;
  Gate gate_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<kit::cuda::Event> released_;
  std::unique_ptr<kit::cuda::Event> finished_;
};

/// Seconds of one walk through a ring, held likewise, and where it ended.
class ChaseRun {
 public:
  ChaseRun(int ordinal, const std::uint64_t* ring);
  double run(std::uint64_t start, bool held, Walk& out);

 private:
  int ordinal_;
  const std::uint64_t* ring_;
  Gate gate_;
  kit::cuda::Stream stream_;
  kit::cuda::Event start_;
  kit::cuda::Event stop_;
  kit::cuda::DeviceBuffer<Walk> result_;
};

}  // namespace rackproof::copy
