#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::stats {

/// Fewest values on either side of a change.
inline constexpr std::size_t kLeastBetweenChanges = 5;

/// Where the level of a series changes.
struct ChangePoint {
  std::size_t at = 0;  ///< index of the first value of the new level
  double before = 0;   ///< median from the change before to this one
  double after = 0;    ///< median from here to the next change
  double p = 1;        ///< of the rank test between the two parts
};

/// The changes of level in a series, in order. `false_points` is how many are expected at most in a
/// series without any, whatever the distribution of its values, as long as they are independent.
///
/// Splits are proposed by the largest CUSUM within seeded intervals (Kovács, Bühlmann, Li and Munk,
/// Biometrika 110, 2023) of the series with its spikes cut off, scaled by the spread of neighbours'
/// differences; each is then kept only if the test of Mann and Whitney between the parts on both
/// sides of it refuses at false_points shared out among all splits that were looked at. The scan
/// alone would take the largest of many for one (as those do that test it with Student's t), and
/// fail for skewed noise; the ranks alone know no interval. Throws std::invalid_argument for values
/// that are not finite, or false_points outside (0, 1).
///
/// `correlation` is that of neighbours: a warm week makes warm nights. Spread and ranks count as
/// many values as a series of it is worth (first-order autoregression), so that the promise holds
/// for it.
std::vector<ChangePoint> change_points(const std::vector<double>& values,
                                       double false_points = 0.005, double correlation = 0);

/// The correlation of neighbours in a series, by what is left when its levels are taken out: those
/// between its changes at `false_points`, as if it had none. Values beyond three deviations count
/// as that far. Nothing where there are too few, or most are equal.
std::optional<double> neighbour_correlation(const std::vector<double>& values, double false_points);

}  // namespace rackproof::stats
