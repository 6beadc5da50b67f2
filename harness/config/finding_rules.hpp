#pragma once

#include <string>
#include <vector>

#include "harness/document/reader.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::config {

/// Findings that end a run before it measures anything. What is empty fits every one.
struct StopRule {
  std::string id;    ///< glob over the id of the finding
  std::string fact;  ///< glob over the fact that its evidence names
  model::Severity severity = model::Severity::kWarning;  ///< this grave or graver

  bool operator==(const StopRule&) const = default;
};

/// What a suite says of findings.
struct FindingRules {
  std::vector<model::Suppression> suppress;
  std::vector<StopRule> stop;
};

/// Reads the field `findings` of a suite. Throws ConfigError.
FindingRules read_finding_rules(const document::Field& field);

/// True when one of the rules ends the run because of the finding.
bool stops(const std::vector<StopRule>& rules, const model::Finding& finding);

}  // namespace rackproof::config
