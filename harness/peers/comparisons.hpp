#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <vector>

#include "harness/cells/kinds.hpp"
#include "harness/peers/peer_findings.hpp"
#include "harness/stats/peers.hpp"
#include "reports/model/for_each.hpp"

namespace rackproof::peers {

/// Every comparison of a run by first numbers, of like cells with each other and of cells with
/// their own history, and what fell into groups.
class Comparisons {
 public:
  /// Compares nothing yet.
  Comparisons(const evidence::Context& context, const cells::JudgedCells& judged);

  /// First: sets as a whole, whatever the kinds of their parts. Sets are taken by `for_each`.
  void compare_whole(const model::ForEach& for_each);
  /// Then: the rest.
  void compare(const cells::Kinds& kinds);

  /// Those with peers come first.
  const std::vector<PeerComparison>& all() const { return all_; }
  const std::vector<TwoKinds>& split() const { return split_; }

  /// Several parts that fail together and lie apart from all others are a group as well, though too
  /// small a share to split the set. `failed` are comparisons with peers.
  void add_small_groups(const std::vector<std::size_t>& failed, double effect);

  /// Marks the groups that their later numbers refute and that show in one metric alone. `deficits`
  /// of the cells that were measured again.
  void refute(const std::map<std::size_t, double>& deficits, double effect);

 private:
  /// What is compared at once: a set, or some of one.
  struct Compared {
    cells::LikeCells cells;
    std::vector<bool> tested;  ///< of each cell; the others are there to be compared with
    bool whole = true;
  };

  double value_of(std::size_t cell) const { return judged_.summary(cell).observed; }
  bool more_is_better(std::size_t cell) const { return judged_.summary(cell).more_is_better; }
  const std::vector<double>& history_of(std::size_t cell) const {
    return judged_.summary(cell).history->values;
  }
  double ratio_to_history(std::size_t cell) const;

  std::vector<stats::Standings> stand(const std::deque<Compared>& sets,
                                      const model::ForEach& for_each) const;
  void compare_with_peers(const cells::Kinds& kinds);
  void compare_by_kind();
  void compare_with_history();
  void look_for_groups(std::size_t set, const stats::Standings& among);
  void add_split(const cells::LikeCells& cells, const stats::Standings& among);

  const cells::JudgedCells& judged_;
  std::size_t least_;
  std::vector<cells::LikeCells> sets_;
  std::deque<Compared> whole_;  ///< sets
  std::vector<stats::Standings> whole_standings_;
  std::vector<std::size_t> places_;               ///< of each of them in sets_
  std::vector<const stats::Clusters*> clusters_;  ///< of each of them
  std::vector<const stats::KindsApart*> apart_;
  std::deque<Compared> compared_;
  std::vector<stats::Standings> standings_;
  std::vector<PeerComparison> all_;
  std::vector<TwoKinds> split_;
};

}  // namespace rackproof::peers
