#include "harness/stats/peer_sets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rackproof::stats {

std::vector<PeerSet> peer_sets(const Clusters& clusters) {
  const std::size_t parts = clusters.of.size();
  PeerSet all{std::vector<std::size_t>(parts), std::vector<bool>(parts, true), true};
  std::iota(all.members.begin(), all.members.end(), 0);
  if (!clusters.any_kind()) return {all};
  std::vector<PeerSet> sets(clusters.sizes.size());
  for (std::size_t part = 0; part < parts; ++part) {
    PeerSet& own = sets[clusters.of[part]];
    own.members.push_back(part);
    own.tested.push_back(true);
    own.whole = false;
    all.tested[part] = clusters.stray[part] || !clusters.is_kind(clusters.of[part]);
  }
  std::erase_if(sets, [](const PeerSet& set) { return set.members.size() < kLeastInCluster; });
  if (std::find(all.tested.begin(), all.tested.end(), true) != all.tested.end()) {
    sets.push_back(std::move(all));
  }
  return sets;
}

}  // namespace rackproof::stats
