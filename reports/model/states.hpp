#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rackproof::model {

/// How far a step came. kBegun stands in journals alone: a report says what became of it.
enum class StepState { kNotReached, kBegun, kDone, kStopped, kSkipped, kLeftOut };

/// Why a step was not done, or not to its end.
enum class StepReason {
  kNone,
  kTimeBudget,            ///< the time that was allowed for the run was over
  kInterrupted,           ///< the run was asked to stop
  kStoppedByEarlierStep,  ///< one whose failure stops the run
  kStoppedByFinding,      ///< one at which the suite stops
  kLateRank,              ///< a rank did not come to the step
  kRankLost,              ///< a rank that the step needs is gone
  kSingleRank,            ///< a run of one rank says no more
  kInventoryFailed,       ///< what a host has is not known
  kNotSelected,           ///< left out, as reports before 1.7 and their journals say it
  kOther,                 ///< in words
};

/// What became of a rank. kUnknown: the run is not over.
enum class RankState { kUnknown, kFinished, kLost, kNeverArrived };

/// What the kernel says that a process does.
enum class ProcessState {
  kUnknown,
  kRunning,
  kSleeping,
  kWaiting,          ///< in the kernel, and no signal ends it there
  kStopped,          ///< by a signal
  kStoppedDebugged,  ///< by a debugger
  kGone,
  kOther,
};

/// Why a journal has a last line.
enum class CloseReason {
  kUnknown,
  kFinished,
  kInterrupted,
  kDryRun,
  kRefused,      ///< the run did not begin
  kDescribed,    ///< a bench only said what it measures
  kAsked,        ///< an inventory alone
  kRankGone,     ///< by the warden of a rank that vanished
  kRankStopped,  ///< the same of one that stood still
  kOther,
};

/// Why an attempt was ended by us, and not at its deadline.
enum class CancelReason {
  kNone,
  kInterrupted,       ///< the run was asked to stop
  kTimeBudget,        ///< the time that was allowed for the run was over
  kStoppedByFinding,  ///< a finding at which the suite stops the run
  kRunEnded,          ///< nobody needs it any more
  kBringUp,           ///< its group had no token in time, or one that makes no sense
  kMemberFailed,      ///< another member of its group
  kRankLost,          ///< the rank of another member of its group is gone
  kRankGone,          ///< its own rank is: by the warden
  kOther,             ///< in words
};

/// How the tables of a run were found.
enum class PlatformChoice {
  kUnknown,
  kRecognised,   ///< by the facts of its hosts
  kNoneMatched,  ///< as above, and only generic tables fit
  kForced,       ///< named when it ran
  kJudgedAgain,  ///< named when it was judged again
};

/// One of a closed list, and words for people. In documents it is one text: the word of the list,
/// and what is to be added behind a colon, as "rank-lost: rank 3 on node7".
template <class E>
struct Reason {
  E id{};
  std::string words = {};

  Reason() = default;
  Reason(E of, std::string text = "") : id(of), words(std::move(text)) {}
  bool operator==(const Reason&) const = default;
  /// Whether there is none.
  bool empty() const { return id == E{} && words.empty(); }
};

}  // namespace rackproof::model
