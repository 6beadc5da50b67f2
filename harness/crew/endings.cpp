#include "harness/crew/endings.hpp"

#include <utility>
#include <variant>

#include "contract/exit_code.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::crew {
namespace {

using contract::ExitCode;
using model::CancelReason;
using Why = model::Reason<CancelReason>;

bool ended_with(const model::Ending& ending, ExitCode code) {
  const auto* completed = std::get_if<model::ending::Completed>(&ending);
  return completed != nullptr && completed->exit_code == static_cast<int>(code);
}

namespace ending = model::ending;

// Whether an ending may be another one the next time; the others say the same again.
struct Transient {
  bool operator()(const ending::Completed& how) const {
    return ended_with(how, ExitCode::kUnexpected) || ended_with(how, ExitCode::kDeviceError) ||
           ended_with(how, ExitCode::kGaveUp);
  }
  bool operator()(const ending::Signalled&) const { return true; }
  bool operator()(const ending::TimedOut&) const { return true; }
  bool operator()(const ending::Truncated&) const { return true; }
  bool operator()(const ending::Garbled&) const { return true; }
  bool operator()(const ending::Leaked&) const { return true; }
  bool operator()(const ending::Cancelled&) const { return false; }
  bool operator()(const ending::SpawnFailed&) const { return false; }
  bool operator()(const ending::Wedged&) const { return false; }
  bool operator()(const ending::RankLost&) const { return false; }
};

}  // namespace

ingest::Transcript take_transcript(Ended& ended) {
  if (ended.transcript) return *std::exchange(ended.transcript, {});
  ingest::Transcript transcript;
  for (const std::string& line : ended.lines) {
    if (const auto entry = journal::read_entry(line)) transcript.take(*entry);
  }
  return transcript;
}

bool is_clean(const model::Ending& ending) { return ended_with(ending, ExitCode::kDone); }

bool is_wrong_answer(const model::Ending& ending) {
  return ended_with(ending, ExitCode::kWrongAnswer);
}

bool has_given_up(const model::Ending& ending) {
  // One that could not come back from a library has no last record.
  const auto* truncated = std::get_if<model::ending::Truncated>(&ending);
  return ended_with(ending, ExitCode::kGaveUp) ||
         (truncated != nullptr && truncated->exit_code == static_cast<int>(ExitCode::kGaveUp));
}

bool is_transient(const model::Ending& ending) { return std::visit(Transient{}, ending); }

Why why_cancelled(const model::Reason<model::StepReason>& stop) {
  using model::StepReason;
  switch (stop.id) {
    case StepReason::kTimeBudget:
      return {CancelReason::kTimeBudget, stop.words};
    case StepReason::kInterrupted:
      return {CancelReason::kInterrupted, stop.words};
    case StepReason::kStoppedByFinding:
      return {CancelReason::kStoppedByFinding, stop.words};
    case StepReason::kNone:
    case StepReason::kStoppedByEarlierStep:
    case StepReason::kLateRank:
    case StepReason::kRankLost:
    case StepReason::kSingleRank:
    case StepReason::kInventoryFailed:
    case StepReason::kNotSelected:
    case StepReason::kOther:
      break;
  }
  return {CancelReason::kRunEnded, model::to_text(stop)};
}

Why why_cancelled(const model::Reason<model::CloseReason>& leave) {
  using model::CloseReason;
  switch (leave.id) {
    case CloseReason::kInterrupted:
      return {CancelReason::kInterrupted, leave.words};
    case CloseReason::kFinished:
      return {CancelReason::kRunEnded, leave.words};
    case CloseReason::kUnknown:
    case CloseReason::kDryRun:
    case CloseReason::kRefused:
    case CloseReason::kDescribed:
    case CloseReason::kAsked:
    case CloseReason::kRankGone:
    case CloseReason::kRankStopped:
    case CloseReason::kOther:
      break;
  }
  return {CancelReason::kRunEnded, model::to_text(leave)};
}

}  // namespace rackproof::crew
