#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/learn/harvest.hpp"

namespace rackproof::learn {

/// How often a healthy value may lie beyond what is learned.
inline constexpr double kTail = 0.001;

/// How the values of a kind vary.
struct Variation {
  double deviation = 0;  ///< standard deviation of their logarithms
  double freedom = 1;    ///< the degrees of freedom with which it is known
};

/// Of each kind with two values and more. The deviations of all kinds of one metric and backend are
/// drawn towards each other (stats::pooled), the more so the fewer values there are: five values
/// say little of their spread, and those of eight like kernels more. At least stats::kSpreadFloor,
/// which one part differs from run to run. Values must be positive.
std::map<Kind, Variation> variations_of(const std::map<Kind, std::vector<Value>>& kinds);

/// The tolerance, as a share of the median of the values, beyond which the next healthy value lies
/// once in 1 / kTail times (stats::prediction_deviations), but at least `least` and so wide that
/// every value passes with its interval. Rounded up to a tenth of a percent.
double tolerance_of(const std::vector<Value>& values, const Variation& variation, double median,
                    bool more_is_better, double least);

/// " with N values of this spread it would be 50 %", or that no number of values helps; for a
/// tolerance that is wider than `most`.
std::string what_helps(const Variation& variation, double most, bool more_is_better);

}  // namespace rackproof::learn
