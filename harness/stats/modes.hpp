#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::stats {

/// Fewest values that can be a group of their own: a lone part is no kind of part.
inline constexpr std::size_t kLeastInMode = 4;

/// Least share of all values in the smaller group.
inline constexpr double kLeastShareOfMode = 0.1;

/// Fewest values in the smaller of two groups among so many: the larger of the two above.
std::size_t least_in_mode(std::size_t count);

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

/// Where the values leave a gap of at least `least_gap` with least_in_mode() values on either side,
/// many times as wide as those next to it lie apart (by the threshold of split_in_two for so many).
/// Finds what a split of all values in two does not: three groups, two of which it would join.
std::optional<Split> split_at_gap(const std::vector<double>& sorted, double least_gap);

/// The best split in two parts of at least so many values, whether or not it is a real one.
struct TwoParts {
  std::size_t below = 0;  ///< how many of the sorted values belong to the lower part
  double apart = 0;       ///< between the means
  double within = 0;      ///< standard deviation within the parts, with n - 2 degrees of freedom
};

/// Nothing for too few values, for equal ones, and beyond what squares bear (1e100).
std::optional<TwoParts> best_two_parts(const std::vector<double>& sorted, std::size_t least);

}  // namespace rackproof::stats
