#pragma once

#include <optional>
#include <vector>

namespace rackproof::stats {

/// A range that holds the true value in at least `coverage` of repetitions.
struct Interval {
  double low = 0;
  double high = 0;
  double coverage = 0;  ///< achieved: at least what was asked for

  bool operator==(const Interval&) const = default;
};

/// Interval of the `q` quantile from two order statistics: no assumption about the distribution but
/// independent values (binomial method; Conover, "Practical Nonparametric Statistics", 3.2). Each
/// end leaves out at most half of 1 - confidence. Nothing when there are too few values: the median
/// at 95 % takes 6. `q` and `confidence` in (0, 1), std::invalid_argument otherwise.
std::optional<Interval> quantile_interval(std::vector<double> values, double q, double confidence);

/// quantile_interval for q = 0.5.
std::optional<Interval> median_interval(std::vector<double> values, double confidence);

/// Student's t interval of the mean: assumes independent values and a mean that is close to normal.
/// Nothing for fewer than 2 values.
std::optional<Interval> mean_interval(const std::vector<double>& values, double confidence);

}  // namespace rackproof::stats
