#pragma once

#include <utility>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "harness/judge/failed_checks.hpp"
#include "reports/model/for_each.hpp"

namespace rackproof::judge {

/// Throws std::invalid_argument for a policy that judge() does not take.
void require_policy(const model::JudgePolicy& policy);

/// Judges a report whose cells come from anywhere, in parts that may be judged at once: judge()
/// over the cells of its report, and the command line over those in a file that are too many for
/// memory. Add the judged cells of all parts, decide(), change the verdicts by amendments(),
/// conclude().
class CellJudge {
 public:
  /// Some consecutive cells, for one thread.
  class Part {
   public:
    explicit Part(const CellJudge& cell_judge, cells::Words words = cells::Words::kAll)
        : cell_judge_(cell_judge), courses_(cell_judge.context_), words_(words) {}

    /// The verdict by rules 1 to 6.
    model::Verdict judge_cell(const model::Cell& cell);
    cells::JudgedCells take() { return std::move(judged_); }

   private:
    const CellJudge& cell_judge_;
    evidence::Courses courses_;
    cells::Words words_;
    cells::JudgedCells judged_;
  };

  /// Reads nothing of the report's cells. What else is in it must not change before conclude().
  /// Throws std::invalid_argument as judge() does.
  explicit CellJudge(const model::Report& report);

  /// In the order of the cells.
  void add(std::vector<cells::JudgedCells> parts);

  /// Rules 7 and 8, over all cells; `for_each` takes what can be done at once.
  void decide(const cells::CellAt& at, const model::ForEach& for_each = model::one_by_one);

  /// What rules 7 and 8 have changed.
  const cells::Amendments& amendments() const { return amendments_; }

  /// Sets findings, counts, acceptance and its reason in the report. `at` is
  /// asked for cells that neither passed nor are waived, with their verdicts as they are now, and
  /// what it gives must stay where it is.
  void conclude(model::Report& report, const cells::CellAt& at) const;

 private:
  std::vector<model::Finding> localise(const cells::CellAt& at);
  void apply_votes();

  evidence::Context context_;
  std::vector<model::Finding> findings_;
  evidence::OwnHistory history_;
  evidence::Votes votes_;
  FailedChecks failed_checks_;
  cells::JudgedCells judged_;
  cells::Amendments amendments_;
};

}  // namespace rackproof::judge
