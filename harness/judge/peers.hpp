#pragma once

#include <vector>

#include "harness/judge/docket.hpp"

namespace rackproof::judge {

/// Smallest drop against the own history that fails a cell, as a share: three times what a healthy
/// device varies from run to run.
inline constexpr double kHistoryEffect = 0.01;

/// Two groups of like subjects are a finding when their medians differ by this share of the larger
/// group's.
inline constexpr double kKindsApart = 0.01;

/// Compares like cells (Docket::like_cells) with each other (stats::stand_among_peers), and those
/// of a part with earlier values with these: by the ratio to their median among the same ratios of
/// the peers, which takes out how parts differ and what all have in common, or, with too few peers,
/// against their own spread (stats::stand_in_history).
///
/// All these tests are one family: worse ones that Benjamini and Hochberg's procedure rejects at
/// the policy's discovery_rate are findings peer-outlier and history-drop; those that Holm's
/// rejects at family_alpha, and whose deficit reaches peer_effect (kHistoryEffect), make the cell
/// `fail` when the suite says that an outlier fails. An untested or waived cell is never touched,
/// and a cell that failed already keeps its reason. Better ones are findings of their own family.
/// Sets that fall into two groups are findings bimodal-peers, and so are two and more outliers that
/// Holm's procedure rejects and whose deficits lie peer_effect beyond all others. In cell order,
/// peers before history, groups last.
///
/// Sets of fewer than the policy's peer_minimum, or stats::kLeastPeers, are not compared.
/// Changes outcomes in `docket` and adds to `amendments`; `at` is asked for the cells that are
/// named, in their order.
std::vector<model::Finding> compare_peers(const Context& context, Docket& docket, const CellAt& at,
                                          Amendments& amendments);

}  // namespace rackproof::judge
