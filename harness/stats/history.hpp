#pragma once

#include <cstddef>
#include <vector>

#include "harness/stats/peers.hpp"

namespace rackproof::stats {

/// Fewest earlier values with which a value can be compared.
inline constexpr std::size_t kLeastHistory = 5;

/// The spread (standard deviation) of one part from run to run counts as at least this share of its
/// mean: a clock that counts in coarse steps may give the same value five times.
inline constexpr double kHistoryFloor = 0.001;

/// LikeSet::own_variance of the ratio of a value to the median of `earlier` ones, which has the
/// variance pi / 2 / n.
double own_variance_of_ratio(std::size_t earlier);

/// One part's earlier values of one quantity, and the value of this run.
struct OwnHistory {
  std::vector<double> earlier;  ///< finite, at least kLeastHistory; their mean is not zero
  double now = 0;
  bool more_is_better = true;
};

/// True when stand_in_history takes it. What it cannot compare says nothing of a part: earlier
/// values that are no numbers, or whose mean is zero, have no share to differ by.
bool is_comparable(const OwnHistory& series);

/// Compares a value with the part's own earlier ones: Student's t for one more value of a normal
/// series, the spread pooled over all series of the call (pooling.hpp), as five values say little
/// about it. For parts with too few peers; where there are peers, the ratios to the own median are
/// compared among them (stand_among_peers). std::invalid_argument as told at OwnHistory.
std::vector<Standing> stand_in_history(const std::vector<OwnHistory>& series);

}  // namespace rackproof::stats
