#pragma once

#include <cstdint>
#include <vector>

namespace rackproof::swing {

/// When a rank computes: from `on` until `off`, in seconds of one clock.
struct Pulse {
  double on = 0;
  double off = 0;
};

/// Pulses of a square wave: pulse k begins at start + (k + phase)/frequency and lasts
/// duty/frequency. `phase` is in periods, below 1.
std::vector<Pulse> square_wave(double start, double frequency, double duty, std::int64_t beats,
                               double phase);

/// A single ramp: the load rises from none to all over `seconds`, stays there as long, and falls
/// again. Cut into slots of `slot` seconds, of which each computes its share; the load of a slot is
/// that of the middle of it.
std::vector<Pulse> ramp(double start, double seconds, double slot);

/// Beats of `frequency` in so many seconds: three at least, of which the first is for warming up.
std::int64_t beats_in(double seconds, double frequency);

/// How many ranks swing in each stage: `fraction` of them at first, rounded up, and twice as many
/// each time until all do. The last stage is all of them.
std::vector<std::int64_t> stages(double fraction, std::int64_t ranks);

/// A phase for each rank, in periods: spread evenly over one, from a start and in an order that the
/// seed draws. Phases drawn one by one would leave few ranks partly in step: the median resultant
/// of four of them is 0.44.
std::vector<double> spread_phases(std::int64_t ranks, std::uint64_t seed);

}  // namespace rackproof::swing
