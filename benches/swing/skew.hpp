#pragma once

#include <cstdint>
#include <vector>

namespace rackproof::swing {

/// How far apart the edges of one beat are over the ranks.
struct Skew {
  std::vector<double> per_beat;  ///< latest less earliest, in seconds
  double p50 = 0;
  double p99 = 0;
  double worst = 0;
  /// The rank that is farthest from the median of the ranks, by the median of its beats, and by how
  /// much it is late (early where negative).
  std::int64_t worst_rank = 0;
  double worst_lag = 0;
};

/// Skew of edges: `instants` has a row for each rank, a column for each beat, on one clock.
/// Percentiles are nearest rank. Throws std::invalid_argument for no ranks, no beats or rows of
/// unlike length.
Skew skew_of(const std::vector<std::vector<double>>& instants);

}  // namespace rackproof::swing
