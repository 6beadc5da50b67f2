#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/swing/beats.hpp"
#include "benches/swing/own_clock.hpp"
#include "benches/swing/work.hpp"
#include "benches/swing/work_trace.hpp"

namespace rackproof::swing {

/// Processors of the `index`-th of `of` ranks that may all use `cpus`: a part of them, or one that
/// others use too where there are more ranks than processors.
std::vector<int> share_of(const std::vector<int>& cpus, std::int64_t index, std::int64_t of);

/// When and on what a load runs, all on the clock of its rank.
struct LoadPlan {
  std::vector<Pulse> pulses;
  std::vector<int> cpus;  ///< one thread for each
  /// More threads than processors: wait asleep, and let others in after each piece of work.
  bool crowded = false;
  std::uint64_t seed = 1;
  WorkTrace trace{0, 1, 0};  ///< an empty one with the bins to fill
};

/// A number that is not what it must be.
struct WrongLane {
  double pulse = 0;
  double lane = 0;
  double got = 0;
  double want = 0;
};

/// What it did.
struct LoadResult {
  std::vector<double> rises;  ///< of each pulse: when half of the threads had begun to compute
  std::vector<double> falls;  ///< when half of them had ended
  WorkTrace trace{0, 1, 0};
  std::int64_t compared = 0;  ///< lanes
  std::int64_t wrong = 0;
  std::optional<WrongLane> first_wrong = {};
};

/// Runs the pulses and returns when they are over, or soon after `stop` has become true. Every
/// piece of work is compared with the reference. Pulses that are over before a thread could begin
/// are begun late all the same, and with one piece of work each. `injection` flips a bit of the
/// first piece of work of the first thread.
LoadResult run_load(const LoadPlan& plan, const OwnClock& clock, const std::atomic<bool>& stop,
                    const std::optional<kit::Injection>& injection);

}  // namespace rackproof::swing
