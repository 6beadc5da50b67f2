#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace rackproof::stream {

/// Finds the fastest of several candidates that run in turns, pass after pass, so that a busy
/// moment of the machine meets all of them. The least time of each counts. Who has fallen far
/// behind is spared the later passes, which would not change the outcome.
class Race {
 public:
  /// A candidate whose best is this many times the best of all has fallen behind. Times of one
  /// kernel on one machine differ by a tenth from one pass to the next, stores that read the line
  /// first and those that do not by a third and more.
  static constexpr double kBehind = 1.25;

  explicit Race(std::size_t candidates) : best_(candidates, kNever) {}

  /// Whether the candidate is to run in this pass. All are until they have run once.
  bool runs(std::size_t candidate) const;
  void took(std::size_t candidate, double seconds);
  /// Its least time; infinity when it never ran.
  double best(std::size_t candidate) const { return best_[candidate]; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::vector<double> best_;
  double least_ = kNever;
};

}  // namespace rackproof::stream
