#pragma once

#include <cstddef>
#include <vector>

namespace rackproof::stats {

/// Fewest metrics in which parts are looked at together: of fewer each is looked at by itself
/// (modes.hpp).
inline constexpr std::size_t kLeastMetricsOfKinds = 4;

/// Like parts in clusters: what they are told apart by shows in all metrics together.
struct Clusters {
  std::vector<std::size_t> of;     ///< cluster of each part, by its place
  std::vector<std::size_t> sizes;  ///< of each cluster; one cluster where nothing tells them apart
  /// Of each part: it is not like the others of its cluster, which is only the nearest to it.
  std::vector<bool> stray;

  /// A cluster of least_in_mode() parts is a kind. Fewer, as a slow part alone, are none.
  bool is_kind(std::size_t cluster) const;
  /// Whether there is a kind beside which there are other parts.
  bool any_kind() const;
};

/// Tells parts of different kinds (lots of silicon, boards) apart by all metrics at once. In one
/// metric two kinds overlap by their noise, and over sixty they do not, since a part is of one kind
/// in all of them.
///
/// Parts are split in two by their scores along the principal direction, and each side again, as
/// long as a split is a real one (Boley, "Principal Direction Divisive Partitioning", 1998). Each
/// metric is taken from its median, in units of its median absolute deviation (at least
/// kSpreadFloor), and cut at four of them, and the direction is that of the parts' unit vectors
/// (Locantore and others, "Robust principal component analysis for functional data", 1999): so one
/// wild number, one wild metric and one wild part each have the weight of one. Scores are split
/// where the squares within are least, and the split is real when the means lie more than
/// 5 + 100 / n standard deviations within apart, without a twentieth at either end if need be. The
/// deviation is that of the scores themselves, so that metrics that say the same again, however
/// many, prove nothing. A part of which the metrics say too little is a cluster by itself. A stray
/// is a part whose metrics lie twice as far (root mean square) from the medians of its cluster as
/// those of its other parts do: a part of the fast kind that is slow throughout looks like one of
/// the slow kind until it is measured against it.
class KindTable {
 public:
  explicit KindTable(std::size_t parts) : parts_(parts) {}

  /// One more metric, a value for each part: NaN where there is none.
  void add(std::vector<double> values, bool more_is_better = true);

  /// By the metrics so far. The same tables give the same clusters.
  Clusters clusters() const;

  /// By metric, in the order in which they were added, then part.
  const std::vector<std::vector<double>>& metrics() const { return metrics_; }
  bool more_is_better(std::size_t metric) const { return more_is_better_[metric]; }

 private:
  std::size_t parts_;
  std::vector<std::vector<double>> metrics_;
  std::vector<bool> more_is_better_;
};

}  // namespace rackproof::stats
