#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/cells/cell.hpp"
#include "harness/cells/neighbours.hpp"
#include "harness/evidence/claims.hpp"
#include "harness/evidence/own_history.hpp"
#include "harness/evidence/votes.hpp"

namespace rackproof::cells {

/// What the rules that look at many cells need to know of one that was judged by itself. The cell
/// may be gone: a large run has more of them than fit in memory.
struct CellSummary {
  model::Outcome outcome = model::Outcome::kUntested;
  bool required = true;
  bool trusted = false;  ///< has a number that can be compared
  bool limited = false;  ///< was held against a limit that is not of a generic table
  bool more_is_better = true;
  double observed = 0;
  std::uint32_t subject = 0;  ///< its place in JudgedCells::subjects()
  const model::History* history = nullptr;
};

/// What the rules over many cells change in the verdict of one.
struct Amendment {
  model::Outcome outcome = model::Outcome::kUntested;
  std::string reason_id;
  std::string reason;
  bool numbers_stand = true;  ///< what was observed is still told, with its limits
  std::optional<double> deficit = std::nullopt;  ///< as model::Verdict has it
};
using Amendments = std::map<std::size_t, Amendment>;  ///< by place of the cell

void amend(model::Verdict& verdict, const Amendment& amendment);

/// Gives a cell by its place in the report; valid until the next call. For the few that are named.
using CellAt = std::function<const model::Cell&(std::size_t)>;

/// Cells that should give like numbers, by their place in the report.
using LikeCells = std::vector<std::size_t>;

/// The cells of a report, each judged by itself, in their order. Parts of it can be made at once
/// and appended.
class JudgedCells {
 public:
  /// `judgement` is that of the cell by rules 1 to 6.
  void add(evidence::Courses& courses, const evidence::Votes& votes,
           const evidence::OwnHistory& history, const model::Cell& cell,
           const Judgement& judgement);
  /// Before the cell is added: failed checks of the processes that measured it.
  void reach(std::vector<evidence::Reach> failed);
  /// A cell of which only this is known.
  void add(CellSummary summary, const model::Subject& subject);
  /// Instead of both, for a cell that could not be judged: what failed. `cells` is how many there
  /// were before it.
  void add_failed(std::size_t cells, const model::Cell& cell, const std::string& what);
  /// Room for so many cells.
  void reserve(std::size_t cells) { summaries_.reserve(cells); }
  /// As if the cells of `later` had been added to these.
  void append(JudgedCells later);

  std::size_t size() const { return summaries_.size(); }
  const CellSummary& summary(std::size_t cell) const { return summaries_[cell]; }
  CellSummary& summary(std::size_t cell) { return summaries_[cell]; }
  const model::Subject& subject_of(std::size_t cell) const {
    return subjects_[summaries_[cell].subject];
  }

  /// What attempts that confirm gave of a cell; empty where there were none.
  const std::vector<double>& again(std::size_t cell) const;

  /// The cells that are trusted, in sets of like ones: of one step, metric, parameters and
  /// platform, judged by one statistic in one unit, about the same kind of subject, devices by
  /// their name (links within a node apart from links between nodes, groups by size). Sets in the
  /// order of their first cell.
  std::vector<LikeCells> like_cells() const;

  /// Sets about the same parts: of one platform, kind of subject, name of the device and size.
  struct Family {
    std::vector<std::size_t> sets;   ///< by their places in like_cells()
    std::vector<std::string> steps;  ///< of each set
  };
  std::vector<Family> families() const;

  /// What failed with the first cell that could not be judged, and how many could not.
  const std::string& failure() const { return failure_; }
  std::size_t failed() const { return failed_; }

  /// What Votes condemned, and which cells that concerns.
  const std::vector<evidence::Reach>& reached() const { return reached_; }

  /// What was said with reach().
  const std::vector<evidence::Reach>& failed_checks() const { return failed_checks_; }

  /// How many cells there are of a kind, with the first.
  struct Tally {
    std::size_t cells = 0;
    std::string subject;  ///< of the first one
    std::string why;
  };
  /// Better than they can be, by step and metric.
  const std::map<std::pair<std::string, std::string>, Tally>& implausible() const {
    return implausible_;
  }
  /// Untested because their samples scatter, by step.
  const std::map<std::string, Tally>& scattered() const { return scattered_; }

  /// Judged by a steady attempt where one that scattered would have failed, by step.
  const std::map<std::string, Tally>& left_out() const { return left_out_; }

  /// What the cells say of each other.
  const Neighbours& neighbours() const { return neighbours_; }

  /// What became of the claims of the run, by the outcomes as they are now.
  std::vector<model::ClaimState> claim_states(const model::Report& report) const;

 private:
  /// What like cells have in common.
  struct Likeness {
    std::string step;
    std::string metric;
    contract::Parameters parameters;
    const model::PlatformTable* table = nullptr;
    contract::Statistic statistic = contract::Statistic::kValue;
    std::string unit;
    contract::Better better = contract::Better::kMore;
    contract::SubjectKind kind = contract::SubjectKind::kNode;
    std::string device;
    std::size_t size = 1;

    bool operator==(const Likeness&) const = default;
  };
  struct Set {
    Likeness likeness;
    LikeCells cells;
  };

  /// like_cells(), and whose they are.
  std::vector<std::pair<const Likeness*, LikeCells>> trusted_sets() const;
  void count(const model::Cell& cell, const Judgement& judgement);
  void join(evidence::Courses& courses, const model::Cell& cell, const Judgement& judgement);

  std::vector<CellSummary> summaries_;
  std::vector<model::Subject> subjects_;  ///< of neighbours with the same, once
  std::vector<Set> sets_;
  std::unordered_multimap<std::size_t, std::size_t> places_;  ///< of sets, by hash
  std::vector<evidence::Reach> reached_;
  std::string failure_;
  std::size_t failed_ = 0;
  std::vector<evidence::Reach> failed_checks_;
  std::map<std::pair<std::string, std::string>, Tally> implausible_;
  std::map<std::string, Tally> scattered_;
  std::map<std::string, Tally> left_out_;
  Neighbours neighbours_;
  evidence::Claimants claimants_;
  std::map<std::size_t, std::vector<double>> again_;  ///< by cell
};

}  // namespace rackproof::cells
