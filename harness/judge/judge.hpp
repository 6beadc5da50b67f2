#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/finding_id.hpp"
#include "reports/model/for_each.hpp"
#include "reports/model/report.hpp"

namespace rackproof::judge {

/// Findings that judge() adds, and replaces when it judges again.
inline constexpr std::array<std::string_view, 26> kOwnFindings = {
    model::finding_id::kFlaky,
    model::finding_id::kPeerOutlier,
    model::finding_id::kHistoryDrop,
    model::finding_id::kBimodalPeers,
    model::finding_id::kDigestMismatch,
    model::finding_id::kDigestUndecided,
    model::finding_id::kExpectationUnmet,
    model::finding_id::kSlowHost,
    model::finding_id::kLocalised,
    model::finding_id::kDisturbed,
    model::finding_id::kDisturbanceIgnored,
    model::finding_id::kLoadUnknown,
    model::finding_id::kRuleFailed,
    model::finding_id::kNotAllThere,
    model::finding_id::kPartialSelection,
    model::finding_id::kPlannedSuite,
    model::finding_id::kUnwatched,
    model::finding_id::kOtherPrograms,
    model::finding_id::kFailedCheck,
    model::finding_id::kImplausible,
    model::finding_id::kUnsteady,
    model::finding_id::kPeerUnconfirmed,
    model::finding_id::kCellsWaived,
    model::finding_id::kWaiverOver,
    model::finding_id::kWaiverRefused,
    model::finding_id::kWaiverUnused};

/// Gives every cell its verdict, adds the findings of the judge (ids in judge::kOwnFindings; those
/// of an earlier judgement are replaced, all others kept), and sets counts, acceptance and its
/// reason. Pure: reads nothing but the report, so the same report always gets the same verdicts.
///
/// Order of rules for a cell, first match decides:
///  1. waived by the suite or by a waiver of its platform table               -> waived
///  2. an attempt found a wrong answer that covers it (a failed check, exit 4) -> fail, whatever a
///     later attempt says
///  3. no measurement: the ending of its last attempt, or why its step was never started ->
///  untested
///     (exit 3 with the step's `unavailable_waives`                            -> waived)
///  4. its number is not positive and finite, its check did not pass, compared nothing, or a
///     test-only fault was on                                                  -> untested or fail
///     other programs disturbed every round that gave one                      -> untested
///     it is better than anybody can measure here                              -> untested
///     it would pass, and its samples scatter or its neighbours contradict it  -> untested
///  5. no baseline of its platform applies                                     -> unjudged
///  6. the statistic that the baseline names, over the samples of all attempts, against the limits
///                                                                             -> pass or fail;
///     with a limit inside the confidence interval, as the suite's `straddle` says
///  7. votes: a digest that is not that of its like                             -> fail, or
///  untested when nobody can tell which is right
///  8. peers and own history: an outlier among like cells, and a drop against the part's earlier
///     values, is a finding, and a fail if the suite says so and later measurements confirm it.
///  9. what then neither passes nor is waived, a waiver of the site that is not over -> waived,
///     never a wrong answer or a fault of the hardware.
///
/// A rule that fails (throws) for a cell leaves it untested, and one over all cells is passed over:
/// either is a finding rule-failed of severity error, the other verdicts stand, and the report is
/// not accepted. Nor is one in which like parts fall into two groups, or one that is worse than its
/// peers was not measured again (findings bimodal-peers and peer-unconfirmed of severity error).
///
/// To 2: a failed check fails the cells whose measurement names it or no check, and those that got
/// no measurement in the same round of attempts; one that no cell names fails all that its process
/// (its group) measured in that round, and keeps the run from being accepted. To 3: a measurement
/// counts only from a round of attempts (those of the same number, one for each process) that all
/// ended with a whole transcript, and when the last round did not, nothing earlier counts either;
/// only a round that we cancelled ourselves is passed over. A round that was disturbed proves a
/// wrong answer and no number, also where only correctness would be judged. To 5: a baseline in
/// another unit than the measurement is never compared. Throws std::invalid_argument when the
/// suite's policy holds a confidence, an error rate or a margin outside (0, 1). Looks at the cells
/// with `for_each`, in any order: the verdicts do not depend on it.
void judge(model::Report& report, const model::ForEach& for_each = model::one_by_one);

/// Why measuring a cell again may decide about it.
enum class Doubt {
  kUndecided,  ///< a limit of its baseline lies inside the confidence interval of its value
  kUnsteady,   ///< its samples scatter, or other cells of its step contradict it
};

struct Doubtful {
  std::size_t cell = 0;  ///< its place in the report
  Doubt doubt = Doubt::kUndecided;

  friend bool operator==(const Doubtful&, const Doubtful&) = default;
};

/// The cells of a step of which measuring again may decide, in their order. None of those that are
/// judged by no number, or by one that has no interval (best, worst, value; too few samples), and
/// none that is unsteady where the suite ignores disturbances. Looks at measurements as judge()
/// does: the report must hold the attempts that said them, the step, and the platform of the
/// cells' hosts.
std::vector<Doubtful> find_doubtful(const model::Report& report, const std::string& step);

/// A cell that misses a limit by its number.
struct BeyondLimit {
  std::size_t cell = 0;  ///< its place in the report
  std::optional<double> low;
  std::optional<double> high;
};

/// The cells of a step that fail by a limit, in their order. Looks at measurements as
/// find_doubtful does.
std::vector<BeyondLimit> find_beyond_limits(const model::Report& report, const std::string& step);

/// Cells of one step that are to be measured again to confirm that some are worse than their peers.
struct Suspected {
  std::vector<std::size_t> cells;  ///< by their place in the report: the suspects
  /// Those of the better half that may be measured beside them, the nearest to the median first.
  std::vector<std::size_t> controls;
};

/// How many of the controls of a set are measured again.
inline constexpr std::size_t kControls = 3;

/// The suspects of a step, and the links of parts that are accused together, set by set; none where
/// the suite does not let outliers fail, or confirms nothing. Looks at measurements as
/// find_doubtful does.
std::vector<Suspected> find_suspects(const model::Report& report, const std::string& step);

/// The same step after step, as a run gets on: what was judged for one step is kept for those after
/// it, whose kinds are told by it too. A step must be done when it is asked for, and its cells,
/// the platforms and the histories stay as they are. The report must outlive it, where it is.
class SuspectFinder {
 public:
  explicit SuspectFinder(const model::Report& report);
  SuspectFinder(const SuspectFinder&) = delete;
  SuspectFinder& operator=(const SuspectFinder&) = delete;
  ~SuspectFinder();

  std::vector<Suspected> find(const std::string& step);

  /// How many cells were judged so far.
  std::size_t judged() const { return judged_; }

 private:
  struct Step;

  const Step& judge_step(const std::string& step);
  void add_accused(const std::string& step, std::vector<Suspected>& found);

  const model::Report& report_;
  std::map<std::string, Step> steps_;
  std::size_t judged_ = 0;
};

/// How many attempts a cell has, when the suite allows `allowed` for what is undecided.
int attempts_of(Doubt doubt, int allowed);

}  // namespace rackproof::judge
