#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::stats {

/// Fewest values that can be a group of their own: a lone part is no kind of part.
inline constexpr std::size_t kLeastInMode = 4;

/// Least share of all values in the smaller group.
inline constexpr double kLeastShareOfMode = 0.1;

/// Where a series falls into two groups.
struct Split {
  std::size_t below = 0;  ///< how many of the sorted values belong to the lower group
  double distance = 0;    ///< between the means of the groups, in standard deviations within them
};

/// Splits `sorted` (ascending, finite) where the spread within the two parts is least, and gives
/// the split when it is a real one: the distance of the parts exceeds 3 + 100 / n, and each part
/// has at least kLeastInMode values and kLeastShareOfMode of all. Fewer than that at one end are
/// set aside first, and belong to the group that is nearer. Nothing for fewer than 8 values.
///
/// One hump split at its best place has a distance as well. In simulated series the largest of 300
/// with n = 10,000 was 2.70 for a normal and 2.93 for a gamma distribution of skewness 1; one
/// normal series in 10,000 exceeded 3.8, 4.9, 6.8 and 11.1 with n = 72, 32, 16 and 8. A flat
/// distribution has 3.46 and an exponential one 3.37: many values of those are split, as are those
/// of two normal groups of four to one from 3 standard deviations apart.
std::optional<Split> split_in_two(const std::vector<double>& sorted);

}  // namespace rackproof::stats
