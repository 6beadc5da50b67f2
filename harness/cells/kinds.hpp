#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "harness/stats/kinds.hpp"
#include "harness/stats/kinds_apart.hpp"

namespace rackproof::cells {

/// Of which kind each part of a run is, by all metrics that were measured of it
/// (stats::KindTable). For the cells of a step only steps up to it count, in the order of the
/// report: so nothing that comes later changes who was to be measured again.
class Kinds {
 public:
  Kinds(const evidence::Context& context, const JudgedCells& judged);
  /// Only for the sets of one step; what comes before it counts all the same.
  Kinds(const evidence::Context& context, const JudgedCells& judged, const std::string& step);

  /// The cells of a set in clusters, by its place in JudgedCells::like_cells(); null where nothing
  /// tells its parts apart.
  const stats::Clusters* of(std::size_t set) const {
    return clusters_[set] ? &*clusters_[set] : nullptr;
  }

  /// How the clusters of a set lie apart in it; null where they do not.
  const stats::KindsApart* apart(std::size_t set) const {
    return apart_[set] ? &*apart_[set] : nullptr;
  }

  /// Whether any set has some.
  bool any() const;

 private:
  void look_at(const evidence::Context& context, const JudgedCells& judged,
               const std::vector<LikeCells>& sets, const JudgedCells::Family& family,
               const std::string& only);

  std::vector<std::optional<stats::Clusters>> clusters_;
  std::vector<std::optional<stats::KindsApart>> apart_;
};

}  // namespace rackproof::cells
