#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "benches/swing/config.hpp"
#include "benches/swing/events.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/ranks.hpp"
#include "benches/swing/runner.hpp"
#include "benches/swing/smoothing.hpp"

namespace rackproof::swing {

/// Power of all hosts or GPUs together, where the counters of each were read all along.
struct TotalPower {
  std::vector<double> watts;        ///< in the bins of the shape
  double interval = 0;              ///< the longest update interval of one
  std::vector<double> phases;       ///< of each, at the frequency of the run
  std::optional<double> rise = {};  ///< seconds, of the slowest; where all resolve it
};

/// A run of all ranks, on rank 0.
struct Collected {
  std::vector<std::vector<double>> rises;  ///< by rank, without the first beat
  std::vector<std::vector<double>> falls;
  std::vector<double> phases;  ///< of the load of each rank that computed in the bins, radians
  std::vector<double> load;    ///< pieces of work of all ranks, in the bins of the shape
  std::vector<std::array<bool, kEvents.size()>> came;  ///< by rank
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::optional<protocol::FirstWrong> first_wrong = {};
  double bound = 0;    ///< by how much two clocks can be apart: the two largest bounds together
  double drifted = 0;  ///< the most that a clock gained or lost
  std::optional<TotalPower> power = {};
  /// By rank, of a square wave in phase that its counter resolves.
  std::vector<std::optional<Swung>> swung = {};
};

/// Brings a run together on rank 0; elsewhere what comes back says nothing. Collective, and only
/// for runs that were not stopped. Of a stage, in which some ranks only watch, and of a ramp, which
/// has no one frequency, there are no edges and phases respectively. `element` is what results are
/// made of, for the place of a wrong one.
Collected collect(const Ranks& ranks, const Run& run, double duty, const std::string& element,
                  const RunResult& mine);

}  // namespace rackproof::swing
