#pragma once

#include <string>
#include <vector>

#include "harness/judge/survey.hpp"
#include "harness/wire/rows.hpp"

namespace rackproof::cli {

/// What can be said of a node among its like.
enum class NodeState { kOutlier, kIncomplete, kSuspect, kAlike };

struct NodeDiagnosis {
  std::size_t row = 0;
  NodeState state = NodeState::kAlike;
  std::size_t missing = 0;  ///< metrics without a value, or that cannot be compared
  std::vector<judge::Deviation> deviations;  ///< least probable first
};

/// What a table of measurements says about its nodes.
struct Diagnosis {
  const wire::RowTable& table;
  judge::SurveyPolicy policy;
  std::vector<judge::BadSide> bad_sides;  ///< of each metric
  std::vector<judge::Column> columns;     ///< of each metric
  std::vector<NodeDiagnosis> nodes;       ///< outliers, incomplete, suspects, the rest
  std::size_t outliers = 0;
  std::size_t incomplete = 0;
  std::size_t suspects = 0;
  std::size_t compared = 0;
};

Diagnosis diagnose(const wire::RowTable& table, std::vector<judge::BadSide> bad_sides,
                   const judge::SurveyPolicy& policy);

/// Canonical: sorted keys, the same bytes for the same rows.
std::string to_json(const Diagnosis& diagnosis);

/// For people: the verdict, the bad nodes first, then what was compared.
std::string to_text(const Diagnosis& diagnosis);

}  // namespace rackproof::cli
