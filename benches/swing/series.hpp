#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "benches/protocol/record.hpp"
#include "benches/swing/collect.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// What the runs of one frequency and kind, in phase or not, came to: samples of all rounds.
struct Series {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::optional<protocol::FirstWrong> first_wrong = {};
  std::vector<double> rise_skews;  ///< of each beat
  std::vector<double> fall_skews;
  std::vector<double> load_coherence;  ///< of each run, as all below
  std::vector<double> power_coherence;
  std::map<int, std::vector<double>> load_amplitudes;   ///< by harmonic, over the mean of the load
  std::map<int, std::vector<double>> power_amplitudes;  ///< by harmonic, in watts
  std::vector<double> power_swings;                     ///< watts
  std::vector<double> power_shares;                     ///< of what limits allow above idle
  std::vector<double> power_rises;                      ///< seconds
  std::vector<double> load_ramp_errors;
  std::vector<double> power_ramp_errors;
};

/// What the hosts could draw more than when idle, in watts; none where that is not known of all.
using Headroom = std::optional<double>;

/// The numbers of a run. What the sensor of power cannot resolve is left out; a stage has none, and
/// only its results are counted.
void add_run(const Run& run, const Config& config, const Collected& all, Headroom headroom,
             Series& series);

}  // namespace rackproof::swing
