#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/stats/kinds.hpp"

namespace rackproof::stats {

/// Fewest parts of a cluster that is held against the others, if they are a tenth of all.
inline constexpr std::size_t kLeastInGroup = 2;

/// A metric has a gap of its own where chance takes the farthest of all metrics of a run so far
/// from what they have in common in less than one of a hundred.
inline constexpr double kOwnGapLevel = 0.01;

/// With this confidence the common gap is at most what it is said to be: kinds that lie so far
/// apart are missed in one of twenty runs.
inline constexpr double kGapConfidence = 0.95;

/// How the parts differ in one metric when its clusters are joined to a slower and a faster group.
struct KindsApart {
  std::vector<bool> slower;  ///< of each part: it is in the slower group
  double slower_centre = 0;  ///< medians of the metric
  double faster_centre = 0;
  double gap = 0;  ///< between the groups' medians, as a share of the faster one's
  /// The gap may be so large: the upper end of its interval where it is the common one, else the
  /// gap itself.
  double most = 0;
  bool common = false;  ///< it is the gap that all metrics have in common
};

/// How the clusters lie apart in each metric of a table; nothing for fewer than two, and in metrics
/// in which they are equal. Those that are too small for a kind count too: who is right, five or
/// three of eight, nobody can tell.
///
/// Clusters are joined to two groups where their medians then lie farthest apart: of nine racks,
/// each with a level of its own, the farthest two lie much farther apart than two groups of racks,
/// and a part is held against the middle of the others, not against the best of them.
///
/// Parts of one kind differ from those of another by much the same in all metrics, or by more in
/// some. The largest of sixty gaps that are the same is, by the noise of sixty medians, much
/// larger. So the gap of a metric counts as the common one, the median of them all, unless it
/// differs from that at kOwnGapLevel: by Student's t over the means of what the offsets of the
/// parts leave (of each the median over its metrics, as a share of theirs), with Bonferroni's
/// correction for all metrics and all ways to join clusters; the spread of what they leave is
/// pooled over the metrics (pooling.hpp). How well the common gap is known the offsets say by how
/// they differ within clusters: metrics that repeat each other prove nothing.
std::vector<std::optional<KindsApart>> kinds_apart(const KindTable& table,
                                                   const Clusters& clusters);

}  // namespace rackproof::stats
