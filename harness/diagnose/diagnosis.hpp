#pragma once

#include <string>
#include <vector>

#include "harness/ingest/rows.hpp"
#include "harness/stats/outlier_search.hpp"

namespace rackproof::diagnose {

/// What can be said of a node among its like.
enum class NodeState { kOutlier, kSlowerGroup, kByRank, kIncomplete, kSuspect, kAlike };

struct NodeDiagnosis {
  std::size_t row = 0;
  NodeState state = NodeState::kAlike;
  std::size_t missing = 0;  ///< metrics without a value, or that cannot be compared
  std::vector<stats::Deviation> deviations;  ///< least probable first
  std::vector<std::size_t> slower_in;        ///< metrics in which it is of the slower group
};

/// What a table of measurements says about its nodes.
struct Diagnosis {
  const ingest::RowTable& table;
  stats::OutlierPolicy policy;
  std::vector<stats::BadSide> bad_sides;  ///< of each metric
  std::vector<stats::Column> columns;     ///< of each metric
  std::vector<NodeDiagnosis> nodes;       ///< in the order of their states
  std::size_t outliers = 0;
  std::size_t slower = 0;   ///< of the slower of two groups, and no outliers
  std::size_t by_rank = 0;  ///< outliers only in metrics that promise no rate of false alarms
  std::size_t incomplete = 0;
  std::size_t suspects = 0;
  std::size_t compared = 0;
};

Diagnosis diagnose(const ingest::RowTable& table, std::vector<stats::BadSide> bad_sides,
                   const stats::OutlierPolicy& policy);

/// True when some node is named: an outlier, of the slower of two groups, or by its rank.
bool stands_out(const Diagnosis& diagnosis);

/// Canonical: sorted keys, the same bytes for the same rows.
std::string to_json(const Diagnosis& diagnosis);

/// For people: the verdict, the bad nodes first, then what was compared.
std::string to_text(const Diagnosis& diagnosis);

}  // namespace rackproof::diagnose
