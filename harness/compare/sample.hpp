#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/config/comparison.hpp"
#include "reports/model/report.hpp"

namespace rackproof::compare {

/// Name of the fact that says by which table a subject was judged.
inline constexpr const char* kPlatformFact = "platform";

/// One quantity: cells of one key are compared with each other.
struct Key {
  std::string step;
  std::string metric;
  std::string parameters;  ///< as text
  std::string unit;
  contract::SubjectKind kind = contract::SubjectKind::kNode;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 inside a default <=> for a null.
  auto operator<=>(const Key&) const = default;
};

/// The judged numbers of one key in one report.
struct Numbers {
  contract::Better better = contract::Better::kMore;
  std::map<std::string, double> of;  ///< label of the subject -> number, above zero

  bool operator==(const Numbers&) const = default;
};

/// What a comparison needs of one report.
struct Sample {
  std::string name;  ///< for people: its file
  std::string run;
  std::string began_utc;
  std::string suite;
  std::string suite_digest;
  model::Acceptance acceptance = model::Acceptance::kIncomplete;
  std::map<Key, Numbers> numbers;
  std::size_t without_number = 0;  ///< cells that have none
  /// Cells that the report keeps from the run that it amends: their numbers are of that day, and in
  /// that report.
  std::size_t measured_before = 0;
  /// What may explain a difference: name of a fact -> its value as text, for a subject. Facts that
  /// the comparison table wants equal among hosts or devices, and what the run was made with.
  std::map<std::string, std::map<std::string, std::string>> facts_of;

  bool operator==(const Sample&) const = default;
};

/// Reads what is needed out of a report. Pure.
Sample sample_of(const model::Report& report, const config::ComparisonRules& table,
                 std::string name);

}  // namespace rackproof::compare
