#pragma once

#include <cstddef>

namespace rackproof::stats {

enum class Sides { kOne, kTwo };

/// Standard normal score that one of `comparisons` independent tests exceeds with a probability of
/// at most `alpha` over all of them (Bonferroni). std::invalid_argument unless alpha lies in (0, 1)
/// and there is at least one comparison.
double family_threshold(double alpha, std::size_t comparisons, Sides sides);

/// Fewest like values among which an outlier can be named.
inline constexpr std::size_t kLeastPeers = 4;

/// family_threshold for the modified z-score of one among `peers` values. The median absolute
/// deviation of few values is itself noisy: the normal threshold would raise 47 times too many
/// alarms among 4 values and 12 times among 16 (alpha 0.001). Student's t with 0.4 n degrees of
/// freedom follows the exact score: a simulation with 5 million normal values for each n asks
/// for 2.1, 3.8, 7.1, 13.4, 29.8 degrees at n = 4, 8, 16, 32, 72 (alpha
/// 0.0001); 1.6, 3.2, 6.4, 12.8, 28.8 err on the side of fewer alarms. std::invalid_argument for
/// fewer than kLeastPeers.
double peer_threshold(double alpha, std::size_t comparisons, std::size_t peers, Sides sides);

}  // namespace rackproof::stats
