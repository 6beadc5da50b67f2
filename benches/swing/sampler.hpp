#pragma once

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "benches/swing/own_clock.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/sensor.hpp"

namespace rackproof::swing {

/// Reads an energy counter as often as it says, in a thread of its own, from when this is made
/// until it is stopped. Both arguments have to outlive it.
class Sampler {
 public:
  Sampler(Sensor& sensor, const OwnClock& clock);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Reads once more and ends the thread. The updates of the counters, on the clock; none where one
  /// could not be read.
  std::vector<EnergyReading> stop();

 private:
  void run();

  Sensor& sensor_;
  const OwnClock& clock_;
  std::atomic<bool> stop_{false};
  bool failed_ = false;
  std::vector<EnergyReading> readings_;
  std::thread thread_;
};

/// Mean power over so many seconds in which the caller lets nothing run; none where the counters
/// did not move or could not be read.
std::optional<double> idle_watts(Sensor& sensor, const OwnClock& clock, double seconds);

}  // namespace rackproof::swing
