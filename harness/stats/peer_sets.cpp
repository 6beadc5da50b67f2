#include "harness/stats/peer_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/stats/robust.hpp"

namespace rackproof::stats {
namespace {

bool is_group(const Clusters& clusters, std::size_t cluster) {
  return clusters.sizes[cluster] >= std::max(kLeastInGroup, (clusters.of.size() + 9) / 10);
}

}  // namespace

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

std::optional<KindsApart> kinds_apart(const Clusters& clusters, const std::vector<double>& values,
                                      bool more_is_better, double least) {
  std::vector<std::vector<double>> of_kind(clusters.sizes.size());
  for (std::size_t part = 0; part < values.size(); ++part) {
    const std::size_t cluster = clusters.of[part];
    if (is_group(clusters, cluster) && !std::isnan(values[part])) {
      of_kind[cluster].push_back(values[part]);
    }
  }
  std::vector<std::optional<double>> centres(of_kind.size());
  std::optional<double> fastest;
  std::optional<double> slowest;
  std::size_t kinds = 0;
  for (std::size_t kind = 0; kind < of_kind.size(); ++kind) {
    if (of_kind[kind].empty()) continue;
    ++kinds;
    const double centre = median(of_kind[kind]);
    centres[kind] = centre;
    if (!fastest || (centre > *fastest) == more_is_better) fastest = centre;
    if (!slowest || (centre < *slowest) == more_is_better) slowest = centre;
  }
  if (kinds < 2 || *fastest == 0 || *fastest == *slowest) return std::nullopt;
  KindsApart apart{std::vector<bool>(values.size(), false), 0, *fastest, 0};
  const auto behind = [&](double centre) {
    return std::abs(centre - *fastest) / std::abs(*fastest);
  };
  apart.gap = behind(*slowest);
  std::vector<double> slower;
  for (std::size_t part = 0; part < values.size(); ++part) {
    const auto& centre = centres[clusters.of[part]];
    if (!centre || !(*centre == *slowest || behind(*centre) >= least)) continue;
    apart.slower[part] = true;
    if (!std::isnan(values[part])) slower.push_back(values[part]);
  }
  apart.slower_centre = median(std::move(slower));
  return apart;
}

}  // namespace rackproof::stats
