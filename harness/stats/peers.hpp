#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/stats/modes.hpp"
#include "harness/stats/outlier.hpp"

namespace rackproof::stats {

/// The spread (standard deviation) of like parts counts as at least this share of their median.
/// Parts that agree better than that agree better than one of them agrees with itself from run to
/// run: its coefficient of variation is 0.3 % (docs/judging.md).
inline constexpr double kSpreadFloor = 0.003;

/// Values of one quantity, measured on like parts.
struct LikeSet {
  std::vector<double> values;  ///< finite; at least kLeastPeers
  bool more_is_better = true;
  /// Share of the variance that a single measurement has; less than 1 for a ratio, whose divisor
  /// has an error too. That error hides some of the skewness, not of the tail: the skewness counts
  /// as larger by this.
  double own_variance = 1;
};

/// Where one value stands among its like.
struct Standing {
  double deficit = 0;     ///< how much worse than the median, as a share of it; negative: better
  double z = 0;           ///< the deficit in units of a standard normal deviate
  double p = 1;           ///< chance of a value so much worse among healthy ones, at most
  double p_better = 1;    ///< chance of a value so much better
  bool in_minor = false;  ///< belongs to the smaller of two groups
};

/// How one set came out.
struct Standings {
  std::vector<Standing> each;  ///< in the order of the values
  double centre = 0;           ///< the median; of the larger group when there are two
  double minor_centre = 0;     ///< of the smaller group
  std::optional<Split> split;  ///< set when the values fall into two groups
};

/// Compares each value with its like. This is the whole test for outliers; what to do about the
/// p-values of all sets together is for multiplicity.hpp.
///
/// A set that falls into two groups (split_in_two) is compared group by group. The spread is taken
/// from the octiles of what lies within four standard deviations, so that an eighth of the parts
/// may be bad; a spread that is skewed to the bad side has a long tail there, taken to be
/// log-normal with the skewness that the octiles show (Tukey's g). Spread and skewness of a set are
/// known the worse the smaller it is: they are pooled over all sets of the call (pooling.hpp), and
/// what then is left of the error of the spread is in the tail of Student's t. p below 0.1 is exact
/// in this sense; a larger one may be told as 1. Throws std::invalid_argument for a set that is too
/// small and for a value that is not finite. Takes n log n.
///
/// Where the deficit, or what the value is better by, is under `least_deficit`, p is told as 1: to
/// find it takes most of the time, and who asks for an effect does not look at it.
std::vector<Standings> stand_among_peers(const std::vector<LikeSet>& sets,
                                         double least_deficit = 0);

}  // namespace rackproof::stats
