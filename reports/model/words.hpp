#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "reports/model/finding.hpp"
#include "reports/model/report.hpp"

namespace rackproof::model {

/// An enumerator and its word in documents.
template <class E>
struct Word {
  E value;
  std::string_view text;
};
template <class E>
Word(E, std::string_view) -> Word<E>;

inline constexpr std::array kOutcomeWords = {
    Word{Outcome::kPass, "pass"},         Word{Outcome::kVerified, "verified"},
    Word{Outcome::kFail, "fail"},         Word{Outcome::kUnjudged, "unjudged"},
    Word{Outcome::kUntested, "untested"}, Word{Outcome::kWaived, "waived"}};
inline constexpr std::array kAcceptanceWords = {
    Word{Acceptance::kAccepted, "accepted"}, Word{Acceptance::kRejected, "rejected"},
    Word{Acceptance::kIncomplete, "incomplete"}, Word{Acceptance::kVerified, "verified"}};
inline constexpr std::array kSubjectKindWords = {
    Word{SubjectKind::kNode, "node"}, Word{SubjectKind::kDevice, "device"},
    Word{SubjectKind::kLink, "link"}, Word{SubjectKind::kGroup, "group"}};
inline constexpr std::array kBetterWords = {Word{Better::kMore, "more"},
                                            Word{Better::kLess, "less"}};
inline constexpr std::array kStatisticWords = {
    Word{Statistic::kValue, "value"},   Word{Statistic::kBest, "best"},
    Word{Statistic::kMedian, "median"}, Word{Statistic::kMean, "mean"},
    Word{Statistic::kWorst, "worst"},   Word{Statistic::kP99, "p99"},
    Word{Statistic::kP05, "p05"}};
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

/// The words of an enumeration, in the order of its enumerators: words_of(Outcome{}).
constexpr const auto& words_of(Outcome) { return kOutcomeWords; }
constexpr const auto& words_of(Acceptance) { return kAcceptanceWords; }
constexpr const auto& words_of(SubjectKind) { return kSubjectKindWords; }
constexpr const auto& words_of(Better) { return kBetterWords; }
constexpr const auto& words_of(Statistic) { return kStatisticWords; }
constexpr const auto& words_of(Severity) { return kSeverityWords; }
constexpr const auto& words_of(BaselineKind) { return kBaselineKindWords; }
constexpr const auto& words_of(BoundOf) { return kBoundOfWords; }
constexpr const auto& words_of(Straddle) { return kStraddleWords; }
constexpr const auto& words_of(Disturbed) { return kDisturbedWords; }
constexpr const auto& words_of(Recorded) { return kRecordedWords; }

/// The word of an enumerator in reports: word(Outcome::kPass) is "pass".
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view word(E value) {
  for (const auto& entry : words_of(E{})) {
    if (entry.value == value) return entry.text;
  }
  return "unknown";
}

/// The enumerator of a word, or nothing: enumerator_of<Outcome>("pass").
template <class E>
requires std::is_enum_v<E>
constexpr std::optional<E> enumerator_of(std::string_view text) {
  for (const auto& entry : words_of(E{})) {
    if (entry.text == text) return entry.value;
  }
  return std::nullopt;
}

/// "pass, fail, unjudged": every word of an enumeration, for messages.
template <class E>
requires std::is_enum_v<E> std::string choices() {
  std::string text;
  for (const auto& entry : words_of(E{})) {
    if (!text.empty()) text += ", ";
    text += entry.text;
  }
  return text;
}

}  // namespace rackproof::model
