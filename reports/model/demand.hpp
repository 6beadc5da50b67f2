#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/measurement.hpp"

namespace rackproof::model {

/// One condition on an inventory fact. Exactly one of the four is set.
struct FactRule {
  std::string fact;
  std::optional<contract::Scalar> equals;
  std::optional<std::string> matches;  ///< glob, case-insensitive
  std::optional<double> min;
  std::optional<double> max;

  bool operator==(const FactRule&) const = default;
};

/// What measurements must show of how they were made, whatever limit judges them: with other
/// conditions a cell fails, and where the bench does not say them it is unjudged.
struct Demand {
  std::string metric;                     ///< glob over metric names
  contract::Parameters parameters;        ///< each must equal the cell's; a text may be a glob
  std::string backend;                    ///< glob over the backend of the cell's step; empty: any
  std::optional<std::int64_t> nodes_min;  ///< applies from this many hosts in the subject's group
  std::optional<std::int64_t> nodes_max;
  std::vector<FactRule> where;      ///< applies where all hold on each host of the subject
  contract::Parameters conditions;  ///< each must be shown; a text may be a glob
  contract::Parameters refused;     ///< none may be shown, and each condition must be known
  /// So many RDMA ports of each host of the group must have sent data, by their own counters.
  std::optional<std::int64_t> ports_min;
  std::string reason;
  std::string table;  ///< id of the table that wrote it (a family, when inherited)

  bool operator==(const Demand&) const = default;
};

}  // namespace rackproof::model
