#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "harness/compare/compare.hpp"
#include "reports/model/cell_text.hpp"

/// Words of comparisons, the same ones in text, JSON and page.
namespace rackproof::cli {

inline constexpr std::array<std::pair<compare::Answer, const char*>, 4> kAnswers = {
    {{compare::Answer::kWorse, "worse"},
     {compare::Answer::kBetter, "better"},
     {compare::Answer::kInconclusive, "inconclusive"},
     {compare::Answer::kEquivalent, "equivalent"}}};

inline const char* word_of(compare::Answer answer) {
  for (const auto& [value, word] : kAnswers) {
    if (value == answer) return word;
  }
  return "";
}

inline const char* word_of(compare::Unit unit) {
  switch (unit) {
    case compare::Unit::kPairs:
      return "pair";
    case compare::Unit::kSubjects:
      return "value";
    case compare::Unit::kRuns:
      return "run";
  }
  return "";
}

inline std::string name_of(const compare::Key& key) {
  return key.metric + (key.parameters.empty() ? "" : " " + key.parameters) + ", step " + key.step;
}

/// "+3.1 %", "-0.02 %".
inline std::string percent(double share) { return fmt::format("{:+.3g} %", share * 100); }

/// "24 pairs", "8 and 8 runs".
inline std::string counts_of(const compare::Line& line) {
  if (line.unit == compare::Unit::kPairs) return model::counted(line.count_a, "pair");
  return fmt::format("{} and {}", line.count_a, model::counted(line.count_b, word_of(line.unit)));
}

/// How many lines have each of kAnswers.
inline std::array<std::size_t, kAnswers.size()> counted_answers(const compare::Comparison& result) {
  std::array<std::size_t, kAnswers.size()> counts = {};
  for (const compare::Line& line : result.lines) {
    for (std::size_t i = 0; i < kAnswers.size(); ++i) counts[i] += kAnswers[i].first == line.answer;
  }
  return counts;
}

}  // namespace rackproof::cli
