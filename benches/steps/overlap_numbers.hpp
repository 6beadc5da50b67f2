#pragma once

#include <vector>

namespace rackproof::steps {

/// A number with the limits between which its median lies with a probability of 95 % at least.
struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// The median, and the order statistics around it by the sign test: binomial, no distribution
/// assumed. With fewer than six values the limits are the smallest and the largest, which hold less
/// than 95 %. Throws std::invalid_argument for none.
Interval median_interval(std::vector<double> values);

/// One round of a cell, in seconds; of all ranks the longest.
struct Round {
  double compute = 0;        ///< alone: Tc
  double message = 0;        ///< alone: Tm
  double together = 0;       ///< both: Tj
  double compute_joint = 0;  ///< the computing while the message was under way: Tc|m
  double message_joint = 0;  ///< from its start until it was seen to be over: Tm|c
};

/// What rounds say of a cell.
struct Overlap {
  Interval efficiency;   ///< E = (Tc + Tm - Tj)/min(Tc, Tm): 0 nothing is hidden, 1 all
  Interval compute_tax;  ///< Tc|m/Tc - 1
  Interval message_tax;  ///< Tm|c/Tm - 1
  Interval exposed;      ///< Tj - Tc|m, seconds
};
double efficiency(const Round& round);
Overlap overlap_of(const std::vector<Round>& rounds);

}  // namespace rackproof::steps
