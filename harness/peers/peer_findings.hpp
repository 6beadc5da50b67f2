#pragma once

#include <cstddef>
#include <vector>

#include "harness/cells/cell.hpp"
#include "harness/cells/judged_cells.hpp"
#include "harness/peers/suspects.hpp"
#include "harness/stats/peers.hpp"

namespace rackproof::peers {

/// One comparison of a cell: with its peers, or with its own earlier values.
struct PeerComparison {
  std::size_t cell = 0;
  bool with_history = false;
  stats::Standing standing;
  double centre = 0;    ///< the median that it was compared with, in the unit of the cell
  std::size_t n = 0;    ///< peers, or earlier values
  std::size_t set = 0;  ///< of peers, by its place among those that were compared
};

/// The finding about a comparison that stands out. `adjusted` is its p-value over the whole run.
model::Finding finding_of(const PeerComparison& comparison, const model::Cell& cell,
                          const cells::Judgement& judgement, double adjusted, bool bad);

/// The finding about a suspect that its later values confirm.
model::Finding finding_of(const Tested& tested, const model::Cell& cell,
                          const cells::Judgement& judgement, double adjusted,
                          const model::JudgePolicy& policy);

/// One for each step. Each keeps the run from being accepted.
std::vector<model::Finding> findings_of_unconfirmed(evidence::Courses& courses,
                                                    const cells::CellAt& at,
                                                    const std::vector<Suspect>& suspects);

/// Like cells that fall into two groups. Of severity error, their finding keeps the run from being
/// accepted.
struct TwoKinds {
  const cells::LikeCells* cells = nullptr;
  std::vector<bool> slower;  ///< of each cell: it belongs to the slower group
  double slower_centre = 0;  ///< medians
  double faster_centre = 0;
  double gap = 0;       ///< between the groups, as a share of the median of the larger one
  double most = 0;      ///< the gap may be so large (stats::KindsApart)
  double distance = 0;  ///< between their means, in standard deviations within them; 0: unknown
  /// Measured again, the slower ones are no group (stats::is_still_a_group).
  bool refuted = false;
};

/// Findings bimodal-peers: one for each step and slower group, however many metrics show it. Of
/// severity error where the gap of one may reach the policy's peer_effect and neither the table of
/// the cells nor the policy says that both groups are right.
std::vector<model::Finding> findings_of_kinds(evidence::Courses& courses,
                                              const cells::JudgedCells& judged,
                                              const cells::CellAt& at,
                                              const std::vector<TwoKinds>& split);

}  // namespace rackproof::peers
