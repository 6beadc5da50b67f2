#pragma once

#include <vector>

#include "harness/judge/cell.hpp"

namespace rackproof::judge {

/// Compares like cells: of one step, metric, parameters and platform, about the same kind of
/// subject, devices by their name (links within a node apart from links between nodes, groups by
/// size), with a trusted number of the same unit and statistic. Returns a finding for each outlier,
/// in cell order. A cell on the bad side becomes `fail` when the suite says so; an untested or
/// waived one is never touched.
///
/// Sets of fewer than the policy's peer_minimum, or stats::kLeastPeers, are not compared. The
/// threshold shares the policy's family_alpha among all cells compared in the run
/// (stats::peer_threshold): one-sided on the bad side, two-sided on the good one.
std::vector<model::Finding> compare_peers(const Context& context,
                                          std::vector<Judgement>& judgements);

}  // namespace rackproof::judge
