#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "contract/words.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/report.hpp"

namespace rackproof::model {

using contract::Word;

inline constexpr std::array kOutcomeWords = {
    Word{Outcome::kPass, "pass"},         Word{Outcome::kVerified, "verified"},
    Word{Outcome::kFail, "fail"},         Word{Outcome::kUnjudged, "unjudged"},
    Word{Outcome::kUntested, "untested"}, Word{Outcome::kWaived, "waived"}};
inline constexpr std::array kAcceptanceWords = {
    Word{Acceptance::kAccepted, "accepted"}, Word{Acceptance::kRejected, "rejected"},
    Word{Acceptance::kIncomplete, "incomplete"}, Word{Acceptance::kVerified, "verified"}};
inline constexpr std::array kSeverityWords = {
    Word{Severity::kInfo, "info"}, Word{Severity::kWarning, "warning"},
    Word{Severity::kError, "error"}, Word{Severity::kIsolate, "isolate"}};
inline constexpr std::array kBaselineKindWords = {
    Word{BaselineKind::kAbsolute, "absolute"}, Word{BaselineKind::kFraction, "fraction"},
    Word{BaselineKind::kCorrectness, "correctness"}, Word{BaselineKind::kCurve, "curve"},
    Word{BaselineKind::kBound, "bound"}};
inline constexpr std::array kBoundOfWords = {Word{BoundOf::kCollective, "collective"},
                                             Word{BoundOf::kNcclModel, "nccl-model"},
                                             Word{BoundOf::kPair, "pair"},
                                             Word{BoundOf::kGpuMemory, "gpu-memory"},
                                             Word{BoundOf::kGpuCopy, "gpu-copy"},
                                             Word{BoundOf::kGpuFlops, "gpu-flops"},
                                             Word{BoundOf::kGpuPower, "gpu-power"},
                                             Word{BoundOf::kPcie, "pcie"},
                                             Word{BoundOf::kNvlink, "nvlink"},
                                             Word{BoundOf::kHostMemory, "host-memory"},
                                             Word{BoundOf::kHostFlops, "host-flops"}};
inline constexpr std::array kStraddleWords = {Word{Straddle::kFail, "fail"},
                                              Word{Straddle::kPass, "pass"},
                                              Word{Straddle::kUnjudged, "unjudged"}};

inline constexpr std::array kDisturbedWords = {Word{Disturbed::kRepeat, "repeat"},
                                               Word{Disturbed::kIgnore, "ignore"}};

inline constexpr std::array kRecordedWords = {Word{Recorded::kOptional, "optional"},
                                              Word{Recorded::kWithGpus, "with-gpus"},
                                              Word{Recorded::kAlways, "always"}};

inline constexpr std::array kStepStateWords = {Word{StepState::kNotReached, "not-reached"},
                                               Word{StepState::kBegun, "begun"},
                                               Word{StepState::kDone, "done"},
                                               Word{StepState::kStopped, "stopped"},
                                               Word{StepState::kSkipped, "skipped"},
                                               Word{StepState::kLeftOut, "left-out"}};
inline constexpr std::array kStepReasonWords = {
    Word{StepReason::kNone, ""},
    Word{StepReason::kTimeBudget, "time-budget"},
    Word{StepReason::kInterrupted, "interrupted"},
    Word{StepReason::kStoppedByEarlierStep, "stopped-by-earlier-step"},
    Word{StepReason::kStoppedByFinding, "stopped-by-finding"},
    Word{StepReason::kLateRank, "late-rank"},
    Word{StepReason::kRankLost, "rank-lost"},
    Word{StepReason::kSingleRank, "single-rank"},
    Word{StepReason::kInventoryFailed, "inventory-failed"},
    Word{StepReason::kNotSelected, "left out by the selection"},
    Word{StepReason::kOther, ""}};
inline constexpr std::array kRankStateWords = {
    Word{RankState::kUnknown, ""}, Word{RankState::kFinished, "finished"},
    Word{RankState::kLost, "lost"}, Word{RankState::kNeverArrived, "never-arrived"}};
inline constexpr std::array kProcessStateWords = {
    Word{ProcessState::kUnknown, ""},
    Word{ProcessState::kRunning, "running"},
    Word{ProcessState::kSleeping, "sleeping"},
    Word{ProcessState::kWaiting, "waiting for disk or a driver"},
    Word{ProcessState::kStopped, "stopped by a signal"},
    Word{ProcessState::kStoppedDebugged, "stopped by a debugger"},
    Word{ProcessState::kGone, "gone"},
    Word{ProcessState::kOther, ""}};
inline constexpr std::array kCloseReasonWords = {Word{CloseReason::kUnknown, ""},
                                                 Word{CloseReason::kFinished, "finished"},
                                                 Word{CloseReason::kInterrupted, "interrupted"},
                                                 Word{CloseReason::kDryRun, "dry run"},
                                                 Word{CloseReason::kRefused, "refused"},
                                                 Word{CloseReason::kDescribed, "described"},
                                                 Word{CloseReason::kAsked, "asked"},
                                                 Word{CloseReason::kRankGone, "rank-gone"},
                                                 Word{CloseReason::kRankStopped, "rank-stopped"},
                                                 Word{CloseReason::kOther, ""}};
inline constexpr std::array kCancelReasonWords = {
    Word{CancelReason::kNone, ""},
    Word{CancelReason::kInterrupted, "interrupted"},
    Word{CancelReason::kTimeBudget, "time-budget"},
    Word{CancelReason::kStoppedByFinding, "stopped-by-finding"},
    Word{CancelReason::kRunEnded, "the end of the run"},
    Word{CancelReason::kBringUp, "bring-up"},
    Word{CancelReason::kMemberFailed, "member-failed"},
    Word{CancelReason::kRankLost, "rank-lost"},
    Word{CancelReason::kRankGone, "the loss of its rank"},
    Word{CancelReason::kOther, ""}};
inline constexpr std::array kPlatformChoiceWords = {
    Word{PlatformChoice::kUnknown, ""}, Word{PlatformChoice::kRecognised, "recognised"},
    Word{PlatformChoice::kNoneMatched, "no table of a particular machine matched"},
    Word{PlatformChoice::kForced, "forced with --platform"},
    Word{PlatformChoice::kJudgedAgain, "judged again with --platform"}};

/// The words of an enumeration, in the order of its enumerators: words_of(Outcome{}).
constexpr const auto& words_of(Outcome) { return kOutcomeWords; }
constexpr const auto& words_of(Acceptance) { return kAcceptanceWords; }
constexpr const auto& words_of(Severity) { return kSeverityWords; }
constexpr const auto& words_of(BaselineKind) { return kBaselineKindWords; }
constexpr const auto& words_of(BoundOf) { return kBoundOfWords; }
constexpr const auto& words_of(Straddle) { return kStraddleWords; }
constexpr const auto& words_of(Disturbed) { return kDisturbedWords; }
constexpr const auto& words_of(Recorded) { return kRecordedWords; }
constexpr const auto& words_of(StepState) { return kStepStateWords; }
constexpr const auto& words_of(StepReason) { return kStepReasonWords; }
constexpr const auto& words_of(RankState) { return kRankStateWords; }
constexpr const auto& words_of(ProcessState) { return kProcessStateWords; }
constexpr const auto& words_of(CloseReason) { return kCloseReasonWords; }
constexpr const auto& words_of(CancelReason) { return kCancelReasonWords; }
constexpr const auto& words_of(PlatformChoice) { return kPlatformChoiceWords; }

/// As it stands in documents.
template <class E>
std::string to_text(const Reason<E>& reason) {
  const std::string_view id = contract::word(reason.id);
  if (id.empty()) return reason.words;
  return std::string(id) + (reason.words.empty() ? "" : ": " + reason.words);
}

/// What was written before a reason had a word of its own: without it, in words alone.
template <class E>
std::optional<E> told_in_words(std::string_view) {
  return std::nullopt;
}
template <>
inline std::optional<CancelReason> told_in_words(std::string_view text) {
  if (text.starts_with("member ")) return CancelReason::kMemberFailed;
  return std::nullopt;
}

/// Out of a document. Words that begin with none of the list are E::kOther.
template <class E>
Reason<E> reason_of(std::string_view text) {
  if (text.empty()) return {};
  for (const auto& [id, known] : words_of(E{})) {
    if (known.empty() || !text.starts_with(known)) continue;
    const std::string_view rest = text.substr(known.size());
    if (rest.empty()) return {id};
    if (rest.starts_with(": ")) return {id, std::string(rest.substr(2))};
  }
  return {told_in_words<E>(text).value_or(E::kOther), std::string(text)};
}

}  // namespace rackproof::model
