#pragma once

#include <functional>
#include <string>

#include "harness/support/clock.hpp"

namespace rackproof::sim {

/// The one time of a simulated cluster. It moves when rank 0 sleeps.
struct Time {
  double now = 0;
  std::function<void(double)> sleep;
};

/// The clock of one host: the common time, and a wall clock of its own that may be wrong and jump.
class HostClock : public support::Clock {
 public:
  explicit HostClock(Time& time) : time_(time) {}

  double now() override { return time_.now; }
  std::string utc() override;
  void sleep(double seconds) override { time_.sleep(seconds); }

  void jump(double seconds) { offset_ += seconds; }

 private:
  Time& time_;
  double offset_ = 0;
};

}  // namespace rackproof::sim
