#include "benches/protocol/record.hpp"

#include <array>
#include <utility>

namespace rackproof::protocol {
namespace {

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<Kind, 9> kKinds = {{{Kind::kHello, "hello"},
                                    {Kind::kDevice, "device"},
                                    {Kind::kToken, "token"},
                                    {Kind::kPhase, "phase"},
                                    {Kind::kSample, "sample"},
                                    {Kind::kMetric, "metric"},
                                    {Kind::kCheck, "check"},
                                    {Kind::kNote, "note"},
                                    {Kind::kEnd, "end"}}};
constexpr Words<Better, 2> kBetter = {{{Better::kMore, "more"}, {Better::kLess, "less"}}};
constexpr Words<Statistic, 6> kStatistics = {{{Statistic::kValue, "value"},
                                              {Statistic::kBest, "best"},
                                              {Statistic::kMedian, "median"},
                                              {Statistic::kMean, "mean"},
                                              {Statistic::kWorst, "worst"},
                                              {Statistic::kP99, "p99"}}};
constexpr Words<SubjectKind, 4> kSubjects = {{{SubjectKind::kNode, "node"},
                                              {SubjectKind::kDevice, "device"},
                                              {SubjectKind::kLink, "link"},
                                              {SubjectKind::kGroup, "group"}}};

template <class Table, class Enum>
std::string_view look_up(const Table& table, Enum value) {
  for (const auto& [enumerator, text] : table) {
    if (enumerator == value) return text;
  }
  return "";
}

template <class Enum, std::size_t N>
std::optional<Enum> look_back(const Words<Enum, N>& table, std::string_view text) {
  for (const auto& [enumerator, known] : table) {
    if (known == text) return enumerator;
  }
  return std::nullopt;
}

}  // namespace

bool is_digest(std::string_view text) {
  return !text.empty() && text.size() <= kMaxDigestLetters &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view word(Kind kind) { return look_up(kKinds, kind); }
std::string_view word(Better better) { return look_up(kBetter, better); }
std::string_view word(Statistic statistic) { return look_up(kStatistics, statistic); }
std::string_view word(SubjectKind kind) { return look_up(kSubjects, kind); }

std::optional<Kind> kind_of(std::string_view text) { return look_back(kKinds, text); }
std::optional<Better> better_of(std::string_view text) { return look_back(kBetter, text); }
std::optional<Statistic> statistic_of(std::string_view text) {
  return look_back(kStatistics, text);
}
std::optional<SubjectKind> subject_kind_of(std::string_view text) {
  return look_back(kSubjects, text);
}

}  // namespace rackproof::protocol
