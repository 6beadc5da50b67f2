#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace rackproof::swing {

/// A question for the time of another clock: when it left and its answer came, on the clock of who
/// asks, and what the other clock showed in between. Seconds.
struct Exchange {
  double sent = 0;
  double theirs = 0;
  double received = 0;
};

/// How far another clock is ahead of the own one at the moment `at` of the own, and by how much
/// that can be wrong.
struct Reading {
  double at = 0;
  double offset = 0;
  double bound = 0;
};

/// What the exchange with the shortest round trip says. The other clock was read at some moment
/// between `sent` and `received`, so half of the round trip bounds the error however unlike the two
/// ways are (F. Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989; the
/// choice of the shortest one as in the clock filter of RFC 5905, section 10). Throws
/// std::invalid_argument for none.
Reading shortest(std::span<const Exchange> exchanges);

/// Exchanges that contradict the reading: the other clock was between what it showed less
/// `received` and less `sent`, and the reading is not, even with its bound. None while both clocks
/// tick alike; a clock that was set, or jumped, in between has some.
std::int64_t contradicting(std::span<const Exchange> exchanges, const Reading& reading);

/// The other clock as a line of the common one.
class ClockLine {
 public:
  /// The same clock.
  ClockLine() = default;
  /// From a last reading on. With one before, the clocks are taken to go on drifting as they did
  /// between the two, if that was more than both bounds can explain.
  ClockLine(const Reading& last, const std::optional<Reading>& before);
  /// Through two readings, of which the second is the later one: for what happened in between.
  static ClockLine through(const Reading& first, const Reading& second);

  double theirs(double common) const { return common + offset_ + rate_ * (common - at_); }
  double common(double theirs) const { return at_ + (theirs - offset_ - at_) / (1 + rate_); }
  /// Seconds by which the other clock gains, a second.
  double rate() const { return rate_; }

 private:
  double at_ = 0;
  double offset_ = 0;
  double rate_ = 0;
};

}  // namespace rackproof::swing
