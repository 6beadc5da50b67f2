#pragma once

#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "reports/model/for_each.hpp"

namespace rackproof::peers {

/// Two groups of like subjects are a finding when their medians differ by this share of the larger
/// group's.
inline constexpr double kKindsApart = 0.01;

/// Compares like cells (JudgedCells::like_cells) with each other (stats::stand_among_peers), and
/// those of a part with earlier values with these: by the ratio to their median among the same
/// ratios of the peers, which takes out how parts differ and what all have in common, or, with too
/// few peers, against their own spread (stats::stand_in_history).
///
/// All these tests are one family: worse ones that Benjamini and Hochberg's procedure rejects at
/// the policy's discovery_rate are findings peer-outlier and history-drop, better ones findings of
/// a family of their own. None of them changes a verdict. Where the suite says that an outlier
/// fails, a suspect (suspects_of) does whose later values, tested alone against the margin, Holm's
/// procedure rejects at family_alpha over all suspects of the run (half of it for those against
/// history); one that nobody measured again is a finding peer-unconfirmed of severity error when
/// its deficit is beyond the margin. An untested or waived cell is never touched, and a cell that
/// failed already keeps its reason.
///
/// Sets that fall into two groups are findings bimodal-peers; so are, where outliers do not fail,
/// two and more that Holm's procedure rejects and whose deficits lie peer_effect beyond all others.
/// Each kind in cell order, peers before history, groups last.
///
/// Sets of fewer than the policy's peer_minimum, or stats::kLeastPeers, are not compared.
/// Changes outcomes in `cells judged` and adds to `amendments`; `at` is asked for the cells that
/// are named, in their order. `for_each` gives the same whatever it does at once.
std::vector<model::Finding> compare_peers(const evidence::Context& context,
                                          cells::JudgedCells& judged, const cells::CellAt& at,
                                          cells::Amendments& amendments,
                                          const model::ForEach& for_each = model::one_by_one);

}  // namespace rackproof::peers
