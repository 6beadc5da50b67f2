#pragma once

#include <cstdint>

namespace rackproof::swing {

/// The clock that a rank goes by: the wall clock as it was when this was made, ticking on as
/// CLOCK_MONOTONIC, so that nobody sets it back on the way.
class OwnClock {
 public:
  /// Counts from `base` (whole seconds since 1970), so that a double holds nanoseconds. `shift`
  /// seconds are added, for tests of clocks that differ.
  OwnClock(std::int64_t base, double shift);

  double now() const;
  /// Returns at `moment` of this clock, or at once where that is over. The last stretch of `spin`
  /// seconds is spent awake.
  void sleep_until(double moment, double spin = 0) const;

 private:
  std::int64_t ahead_;  ///< nanoseconds of this clock less those of CLOCK_MONOTONIC
};

/// Whole seconds of the wall clock since 1970.
std::int64_t wall_seconds();

}  // namespace rackproof::swing
