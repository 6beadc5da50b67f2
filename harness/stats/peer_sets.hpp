#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/stats/kinds.hpp"

namespace rackproof::stats {

/// Parts that are compared with each other, by their places.
struct PeerSet {
  std::vector<std::size_t> members;  ///< ascending
  std::vector<bool> tested;          ///< of each member; the others are there to be compared with
  bool whole = true;                 ///< the members are all parts
};

/// Fewest parts of a cluster that is no kind of which each is compared with the others, too.
inline constexpr std::size_t kLeastInCluster = 3;

/// Who is compared with whom. Each kind by itself. Parts of no kind, and strays, with all parts, so
/// that none hides among few like it or in a kind that it is not of; and those of a cluster of
/// kLeastInCluster with each other, too, since three of eight may be a faster kind, of which one at
/// the level of the others is slow. One set of all where there are no kinds.
std::vector<PeerSet> peer_sets(const Clusters& clusters);

/// Fewest parts of a cluster that is held against the others, if they are a tenth of all.
inline constexpr std::size_t kLeastInGroup = 2;

/// How clusters differ in one metric.
struct KindsApart {
  std::vector<bool> slower;  ///< of each part: it is of a slower cluster
  double slower_centre = 0;  ///< medians
  double faster_centre = 0;
  double gap =
      0;  ///< of the median of the slowest to that of the fastest, as a share of the latter
};

/// Slower are the clusters that lie `least` below the fastest, or the slowest when none does. Also
/// those that are too small for a kind: who is right, five or three of eight, nobody can tell.
/// Nothing for fewer than two; `values` may be NaN where a part has none.
std::optional<KindsApart> kinds_apart(const Clusters& clusters, const std::vector<double>& values,
                                      bool more_is_better, double least);

}  // namespace rackproof::stats
