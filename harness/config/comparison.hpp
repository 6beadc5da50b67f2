#pragma once

#include <string>
#include <vector>

#include "reports/model/finding.hpp"

namespace rackproof::config {

/// What a fact has to be on one host, compared with the others.
struct ComparisonRule {
  enum class Of { kNode, kDevice };
  enum class Must { kAgree, kDiffer };
  /// kAlike: hosts of one platform, devices of one name.
  enum class Among { kAlike, kAll };

  std::string fact;  ///< glob over names of facts
  Of of = Of::kNode;
  Must must = Must::kAgree;
  Among among = Among::kAlike;
  double tolerance = 0;  ///< share of the median by which numbers that agree may be apart
  model::Severity severity = model::Severity::kWarning;
  std::string remedy;  ///< one line

  bool operator==(const ComparisonRule&) const = default;
};

/// Which facts of a cluster must be equal, and which must not.
using ComparisonRules = std::vector<ComparisonRule>;

/// Reads the rules (JSON with comments). Throws ConfigError (located_json.hpp).
ComparisonRules load_comparison(const std::string& path);

}  // namespace rackproof::config
