#pragma once

#include <cstddef>
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

}  // namespace rackproof::stats
