#pragma once

#include <functional>
#include <memory>
#include <string>

#include "benches/swing/config.hpp"
#include "benches/swing/events.hpp"
#include "benches/swing/load.hpp"
#include "benches/swing/ranks.hpp"
#include "benches/swing/sensor.hpp"
#include "benches/swing/smoothing.hpp"

namespace rackproof::swing {

/// What a rank computes on, and what it can see of that.
struct Parts {
  /// "node1", "node1/GPU-...": ranks of one name share a sensor.
  std::string name;
  /// It is the one that looks: `lack`, `sensor` and `counters` are those of its name.
  bool looks = true;
  Lack lack = Lack::kNothing;
  std::unique_ptr<Sensor> sensor;  ///< null for a lack, and where another rank looks
  std::unique_ptr<Counters> counters;
  std::unique_ptr<Load> load;
  Smoothing smoothing;
};

/// What differs from machine to machine.
struct Kind {
  /// Makes the parts of this rank. Collective.
  std::function<Parts(const Ranks& ranks, const Config& config)> make;
  /// What must not be: while ranks swing in phase each looks for it every second, and all stop.
  Event stop = Event::kPowerLimit;
  std::string sensed;    ///< "hosts", "GPUs": what has one sensor each
  std::string power;     ///< whose power is measured, for a sentence
  bool smooths = false;  ///< it may smooth its power
};

}  // namespace rackproof::swing
