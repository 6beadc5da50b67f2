#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "benches/swing/beats.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// Bins of a beat of a square wave.
inline constexpr std::int64_t kBinsOfBeat = 64;

/// A run as one rank sees it, on the common clock.
struct Shape {
  std::vector<Pulse> pulses;  ///< empty for a rank that only watches
  double end = 0;             ///< the pulses of all ranks are over
  /// Bins of what is traced: whole beats, without the first one, or the slots of a ramp.
  double from = 0;
  double width = 0;
  std::int64_t bins = 0;
};

/// The shape of a run that begins at `start`, for a rank with this phase, in periods; in phase it
/// has none.
Shape shape_of(const Run& run, double duty, double start, double phase, bool swings);

/// When ranks look at each other in a run that begins at `start`: every second, in the middle of
/// the off part of a beat where the second is whole beats, so that no edge is late for it, and at
/// the end.
std::vector<double> looks_of(const Run& run, double duty, double start, double end);

/// The load that a ramp of so many slots shall have in each of them: from 0 to 1 and back.
std::vector<double> ramp_shares(std::int64_t slots);

/// How far a ramp is from the line that it shall follow: the largest difference, as a share of its
/// top, for which the median of the slots up there stands. None where that is not above 0.
std::optional<double> ramp_error(const std::vector<double>& slots);

}  // namespace rackproof::swing
