#pragma once

#include <cstddef>

#include "contract/tournament.hpp"

namespace rackproof::localise {

/// The error of the median of k values with a standard deviation of 1 is this over the root of k:
/// the root of pi / 2.
inline constexpr double kErrorOfMedian = 1.2533141373155;

/// What a search by rounds of pairs has to find, and among what.
struct Wanted {
  double deficit = 0.03;       ///< of one member, as a share
  double noise = 0.015;        ///< standard deviation of one value of a pair, as a share
  std::size_t parts = 2;       ///< that are compared, one at least
  double family_alpha = 0.05;  ///< chance of accusing a healthy part
  double power = 0.95;         ///< chance of finding the one that is not
};

/// Rounds of disjoint pairs that find it: each gives every member one value, and the median of k of
/// them, tested at family_alpha over all parts (Bonferroni), shows the deficit with this power when
/// k >= ((z_alpha + z_power) 1.2533 noise / deficit)^2. The number of members is in z_alpha alone:
/// 10,000 of them take 15 rounds where 100 take 11. Three at least (see is_told()).
/// std::invalid_argument for a share outside (0, 1) and for no part.
int rounds_needed(const Wanted& wanted);

/// Whether the pairs of all rounds tell the level of every member: those that have played each
/// other, over others too, are joined by a cycle of odd length. Without one (two rounds of an even
/// number, say) half of them may be slower and the other half faster by the same share, and no pair
/// shows it. Members that never play are not told.
bool is_told(const contract::Tournament& tournament);

}  // namespace rackproof::localise
