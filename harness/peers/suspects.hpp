#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "harness/cells/kinds.hpp"

namespace rackproof::peers {

/// Smallest drop against the own history that makes a suspect, and the one that its later values
/// may show: three times what a healthy device varies from run to run.
inline constexpr double kHistorySuspect = 0.02;
inline constexpr double kHistoryEffect = 0.01;

/// A cell that is worse than its peers, or than its own history, by so much that it is measured
/// again.
struct Suspect {
  std::size_t cell = 0;
  bool with_history = false;
  double reference = 0;  ///< what it was compared with, in its own unit
  double deficit = 0;    ///< as a share of the reference
  std::size_t n = 0;     ///< of how many values the reference is the median
};

/// Like cells with suspects among them, by their places in the cells judged.
struct SuspectedSet {
  std::vector<Suspect> suspects;  ///< in cell order
  /// Of the better half, the nearest to the median first: measured again beside the suspects.
  std::vector<std::size_t> controls;
};

/// False where no cell can be a suspect, whatever else is known of its part: none lies so far
/// behind the best of its set, and none has a history.
bool may_have_suspects(const cells::JudgedCells& judged, const model::JudgePolicy& policy);

/// Every set with suspects, in the order of JudgedCells::like_cells(), against peers before against
/// history. A value is compared with the median of all others of its kind (Kinds,
/// stats::peer_sets), and with its own history by what the ratios to it are among the others, or as
/// it is where fewer than stats::kLeastPeers have one. What falls into two groups of four and more
/// by itself (stats::split_in_two, stats::split_at_gap) is compared group by group: that they
/// differ is a finding of its own (bimodal-peers), as it is of kinds. So is a set whose best two
/// parts lie peer_effect apart, where its table or the policy says that both are right. Sets of
/// fewer cells than the policy's peer_minimum, or stats::kLeastPeers, are not compared with peers.
/// What failed already is no suspect. Those of one step, whose cells judged holds the cells of all
/// steps before it, too.
std::vector<SuspectedSet> suspects_of(const evidence::Context& context,
                                      const cells::JudgedCells& judged, const cells::CellAt& at,
                                      const std::string& step);

/// A suspect whose later values were tested (stats::confirm) against the policy's peer_margin, or
/// kHistoryEffect.
struct Tested {
  Suspect suspect;
  double deficit = 0;  ///< of the later values, how the controls changed allowed for
  double p = 1;
  std::size_t times = 0;     ///< that it was measured again
  std::size_t controls = 0;  ///< that were, too
};

/// What the later values of all suspects say, and whose deficit against peers is beyond the margin
/// though it was not measured again, or nothing was beside it.
struct Confirmations {
  std::vector<Tested> tested;
  std::vector<Suspect> unconfirmed;
};
Confirmations test_suspects(const evidence::Context& context, const cells::JudgedCells& judged,
                            const cells::CellAt& at, const cells::Kinds& kinds);

/// Why both groups of the set of this cell are right; empty when nobody says so.
std::string excuse_of(const evidence::Context& context, const model::Cell& cell);

}  // namespace rackproof::peers
