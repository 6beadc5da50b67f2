#pragma once

#include <vector>

namespace rackproof::stats {

// All functions of this room throw std::invalid_argument for an empty series and for a value that
// is not finite: a NaN would sort anywhere and decide nothing.

/// The middle value; the mean of the two middle ones for an even number.
double median(std::vector<double> values);

double mean(const std::vector<double>& values);

/// Median of the distances from the median (not scaled to a standard deviation).
double median_absolute_deviation(const std::vector<double>& values);

/// Nearest-rank percentile: the smallest value that at least `p` percent of the series do not
/// exceed. `p` in (0, 100], std::invalid_argument otherwise.
double nearest_rank(std::vector<double> values, double p);

/// nearest_rank() of 25 and of 75 percent.
struct Quartiles {
  double first = 0;
  double third = 0;
};
Quartiles quartiles(std::vector<double> values);

/// 0.6745 is the upper quartile of the standard normal: it makes the median absolute deviation of
/// normal values a standard deviation.
inline constexpr double kNormalQuartile = 0.6745;

/// The median absolute deviation counts as at least this share of the median. Among like parts that
/// agree to a few parts in ten thousand it would otherwise go to zero, and any noise be an outlier.
/// Half a percent is below the 0.7 % that a healthy spread of 1 % (coefficient of variation) gives.
inline constexpr double kDeviationFloor = 0.005;

/// Centre and spread of a set of like values, and how far a value lies from them.
struct Spread {
  double median = 0;
  double deviation = 0;  ///< median absolute deviation, floored
};

/// `floor` is the least deviation, as a share of the absolute median; std::invalid_argument when it
/// is not positive.
Spread spread(const std::vector<double>& values, double floor = kDeviationFloor);

/// Modified z-score 0.6745 (x - median) / MAD (Iglewicz and Hoaglin, "How to Detect and Handle
/// Outliers", 1993). Zero when the deviation is zero and x is the median, infinite elsewhere then.
double modified_z(double value, const Spread& among);

}  // namespace rackproof::stats
