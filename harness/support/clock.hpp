#pragma once

#include <string>

namespace rackproof::support {

/// The time seam: real in production, a hand-turned one in tests and simulations.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Seconds on a clock that never jumps, from an arbitrary start.
  virtual double now() = 0;
  /// UTC as RFC 3339 with milliseconds, for people and provenance only: it may jump.
  virtual std::string utc() = 0;
  virtual void sleep(double seconds) = 0;
};

/// CLOCK_MONOTONIC and CLOCK_REALTIME.
class SystemClock : public Clock {
 public:
  double now() override;
  std::string utc() override;
  void sleep(double seconds) override;
};

}  // namespace rackproof::support
