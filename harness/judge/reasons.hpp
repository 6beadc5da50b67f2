#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "reports/model/report.hpp"

namespace rackproof::judge {

struct Absent;
class Context;

/// Every reason_id that the judge can give, each an id of the catalogue.
namespace reason_id {
inline constexpr const char* kWithinLimits = "within-limits";
inline constexpr const char* kVerifiedGeneric = "verified-generic";
inline constexpr const char* kBelowLimit = "below-limit";
inline constexpr const char* kAboveLimit = "above-limit";
inline constexpr const char* kWrongAnswer = "wrong-answer";
inline constexpr const char* kHardwareFault = "hardware-fault";
inline constexpr const char* kStraddlesLimit = "straddles-limit";
inline constexpr const char* kPeerOutlier = "peer-outlier";
inline constexpr const char* kHistoryDrop = "history-drop";
inline constexpr const char* kDigestMismatch = "digest-mismatch";
inline constexpr const char* kDigestUndecided = "digest-undecided";
inline constexpr const char* kNoBaseline = "no-baseline";
inline constexpr const char* kNoFact = "no-fact";
inline constexpr const char* kNoBound = "no-bound";
inline constexpr const char* kNoPlatform = "no-platform";
inline constexpr const char* kMixedPlatforms = "mixed-platforms";
inline constexpr const char* kUnitMismatch = "unit-mismatch";
inline constexpr const char* kBadBaseline = "bad-baseline";
inline constexpr const char* kOutsideCurve = "outside-curve";
inline constexpr const char* kConditionDiffers = "condition-differs";
inline constexpr const char* kConditionUnknown = "condition-unknown";
inline constexpr const char* kWaivedBySuite = "waived-by-suite";
inline constexpr const char* kWaivedByPlatform = "waived-by-platform";
inline constexpr const char* kUnavailable = "unavailable";
inline constexpr const char* kNoResult = "no-result";
inline constexpr const char* kBenchError = "bench-error";
inline constexpr const char* kBenchUsage = "bench-usage";
inline constexpr const char* kDeviceError = "device-error";
inline constexpr const char* kGaveUp = "gave-up";
inline constexpr const char* kSignalled = "signalled";
inline constexpr const char* kTimedOut = "timed-out";
inline constexpr const char* kCancelled = "cancelled";
inline constexpr const char* kSpawnFailed = "spawn-failed";
inline constexpr const char* kLeaked = "leaked";
inline constexpr const char* kTruncated = "truncated";
inline constexpr const char* kGarbled = "garbled";
inline constexpr const char* kWedged = "wedged";
inline constexpr const char* kRankLost = "rank-lost";
inline constexpr const char* kSetAside = "set-aside";
inline constexpr const char* kTimeBudget = "time-budget";
inline constexpr const char* kInterrupted = "interrupted";
inline constexpr const char* kStoppedByEarlierStep = "stopped-by-earlier-step";
inline constexpr const char* kStoppedByFinding = "stopped-by-finding";
inline constexpr const char* kSingleRank = "single-rank";
inline constexpr const char* kLateRank = "late-rank";
inline constexpr const char* kBringUp = "bring-up";
inline constexpr const char* kNotStarted = "not-started";
inline constexpr const char* kUnverified = "unverified";
inline constexpr const char* kBadNumber = "bad-number";
inline constexpr const char* kNoSamples = "no-samples";
inline constexpr const char* kInconsistent = "inconsistent";
inline constexpr const char* kFaultInjected = "fault-injected";
inline constexpr const char* kDisturbed = "disturbed";
inline constexpr const char* kJudgeFailed = "judge-failed";
inline constexpr const char* kImplausible = "implausible";
}  // namespace reason_id

inline constexpr std::array<std::string_view, 55> kReasonIds = {
    reason_id::kWithinLimits,     reason_id::kVerifiedGeneric,
    reason_id::kBelowLimit,       reason_id::kAboveLimit,
    reason_id::kWrongAnswer,      reason_id::kPeerOutlier,
    reason_id::kDigestMismatch,   reason_id::kDigestUndecided,
    reason_id::kNoBaseline,       reason_id::kNoFact,
    reason_id::kNoBound,          reason_id::kNoPlatform,
    reason_id::kMixedPlatforms,   reason_id::kUnitMismatch,
    reason_id::kBadBaseline,      reason_id::kWaivedBySuite,
    reason_id::kWaivedByPlatform, reason_id::kUnavailable,
    reason_id::kNoResult,         reason_id::kBenchError,
    reason_id::kBenchUsage,       reason_id::kDeviceError,
    reason_id::kSignalled,        reason_id::kTimedOut,
    reason_id::kCancelled,        reason_id::kSpawnFailed,
    reason_id::kLeaked,           reason_id::kTruncated,
    reason_id::kGarbled,          reason_id::kWedged,
    reason_id::kRankLost,         reason_id::kTimeBudget,
    reason_id::kInterrupted,      reason_id::kStoppedByEarlierStep,
    reason_id::kNotStarted,       reason_id::kUnverified,
    reason_id::kBadNumber,        reason_id::kNoSamples,
    reason_id::kInconsistent,     reason_id::kFaultInjected,
    reason_id::kSingleRank,       reason_id::kLateRank,
    reason_id::kBringUp,          reason_id::kOutsideCurve,
    reason_id::kConditionDiffers, reason_id::kConditionUnknown,
    reason_id::kStraddlesLimit,   reason_id::kHistoryDrop,
    reason_id::kSetAside,         reason_id::kStoppedByFinding,
    reason_id::kHardwareFault,    reason_id::kDisturbed,
    reason_id::kJudgeFailed,      reason_id::kImplausible,
    reason_id::kGaveUp,
};

/// A verdict without numbers.
model::Verdict verdict(model::Outcome outcome, const char* id, std::string sentence);

/// The exit code of a process that ended by itself, or nothing.
std::optional<int> exit_code_of(const model::Ending& ending);

/// Cancelled though nothing was wrong with it: for the sake of another member, or of the run. A
/// member that did not bring its group up was cancelled for its own.
bool was_cancelled(const model::Ending& ending);

/// Cancelled for the sake of the run alone: interrupted, or out of time.
bool was_cut_short(const model::Ending& ending);

/// Ended because it waited in vain for another member of its group: a witness, not the culprit.
bool has_given_up(const model::Ending& ending);

/// "attempt 2 of rank 3 on node3", or of a member of a group: for sentences.
std::string name_of(const model::Attempt& attempt);

/// "copy.local bytes 1 MiB": what a cell is about, but for its subject.
std::string quantity_of(const model::Cell& cell);

/// Why a cell has no trustworthy number after `attempt`.
model::Verdict untested_after(const model::Attempt& attempt);

/// Why a cell has no trustworthy number when members of its group left no attempt.
model::Verdict untested_without_members(const Absent& absent);

/// For a cell about a node in a step over devices: that the host has GPUs which cannot be measured,
/// or that nobody knows what it has. Nothing for any other cell.
std::optional<model::Verdict> owed_without_gpu(const Context& context, const model::Cell& cell,
                                               const model::StepInfo* step);

/// For a cell without a measurement about a host that a resumed run left out: which, and why it
/// was. Nothing for any other cell.
std::optional<model::Verdict> left_with_its_host(const Context& context, const model::Cell& cell);

/// Why a cell that no attempt covers has none. `step` may be null (the report does not list it).
/// The step's reason decides by the id that it begins with ("late-rank: rank 3 ..."), else by its
/// words.
model::Verdict untested_without_attempt(const Context& context, const model::Cell& cell,
                                        const model::StepInfo* step);

/// "check "triad" ... found 3 of 1000 wrong, first at ...". `check` may be null: the process said
/// by its exit code alone that the answer was wrong. `attempt` may be null.
model::Verdict wrong_answer(const model::Attempt* attempt, const model::CheckResult* check);

}  // namespace rackproof::judge
