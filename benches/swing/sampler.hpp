#pragma once

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "benches/swing/own_clock.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/rapl.hpp"

namespace rackproof::swing {

/// Reads the energy counters of the node twice a millisecond, in a thread of its own, from when it
/// is made until it is stopped. Both arguments have to outlive it.
class Sampler {
 public:
  Sampler(Rapl& rapl, const OwnClock& clock);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Reads once more and ends the thread. The updates of the counters, on the clock; none where one
  /// could not be read.
  std::vector<EnergyReading> stop();

 private:
  void run();

  Rapl& rapl_;
  const OwnClock& clock_;
  std::atomic<bool> stop_{false};
  bool failed_ = false;
  std::vector<EnergyReading> readings_;
  std::thread thread_;
};

/// Mean power over so many seconds in which the caller lets nothing run; none where the counters
/// did not move or could not be read.
std::optional<double> idle_watts(Rapl& rapl, const OwnClock& clock, double seconds);

}  // namespace rackproof::swing
