#pragma once

#include <cstdint>

namespace rackproof::telemetry {

/// What a sample may cost in CPU time, for each device (a node without GPUs counts as one): with
/// ten a second 0.3 % of a processor. A sample of an H100 costs 0.17 ms, each hundredth 3.5 ms
/// more.
inline constexpr double kBudgetSeconds = 300e-6;

/// Keeps the recorder's share of a processor to the budget of a sample in each interval: where a
/// sample costs more, there are fewer of them. Pure; the caller has the clock.
class Budget {
 public:
  explicit Budget(double budget_seconds) : budget_seconds_(budget_seconds) {}

  /// To be told what each sample cost. Gives how many intervals now lie between two samples, from 1
  /// to 100; it changes after 100 samples, after 8 at the earliest, never by a single dear one.
  unsigned after_sample(double cpu_seconds);
  unsigned stretch() const { return stretch_; }

 private:
  double budget_seconds_;
  double sum_seconds_ = 0;
  unsigned samples_ = 0;
  unsigned stretch_ = 1;
};

}  // namespace rackproof::telemetry
