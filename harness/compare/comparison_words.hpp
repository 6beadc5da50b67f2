#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "harness/compare/compare.hpp"
#include "reports/model/cell_text.hpp"

/// Words of comparisons, the same ones in text, JSON and page.
namespace rackproof::compare {

inline constexpr std::array<std::pair<Answer, const char*>, 4> kAnswers = {
    {{Answer::kWorse, "worse"},
     {Answer::kBetter, "better"},
     {Answer::kInconclusive, "inconclusive"},
     {Answer::kEquivalent, "equivalent"}}};

inline const char* word_of(Answer answer) {
  for (const auto& [value, word] : kAnswers) {
    if (value == answer) return word;
  }
  return "";
}

inline const char* word_of(Unit unit) {
  switch (unit) {
    case Unit::kPairs:
      return "pair";
    case Unit::kSubjects:
      return "value";
    case Unit::kRuns:
      return "run";
  }
  return "";
}

inline std::string name_of(const Key& key) {
  return key.metric + (key.parameters.empty() ? "" : " " + key.parameters) + ", step " + key.step;
}

/// "+3.1 %", "-0.02 %".
inline std::string percent(double share) { return fmt::format("{:+.3g} %", share * 100); }

/// "24 pairs", "8 and 8 runs".
inline std::string counts_of(const Line& line) {
  if (line.unit == Unit::kPairs) return model::counted(line.count_a, "pair");
  return fmt::format("{} and {}", line.count_a, model::counted(line.count_b, word_of(line.unit)));
}

/// How many lines have each of kAnswers.
inline std::array<std::size_t, kAnswers.size()> counted_answers(const Comparison& result) {
  std::array<std::size_t, kAnswers.size()> counts = {};
  for (const Line& line : result.lines) {
    for (std::size_t i = 0; i < kAnswers.size(); ++i) counts[i] += kAnswers[i].first == line.answer;
  }
  return counts;
}

}  // namespace rackproof::compare
