#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// Beside the verdict of a suite that `rackproof plan` made: how much of which suite it is, and
/// what share of the expected faults both miss. Empty for any other suite.
std::string planned_share(const model::Report& report);

/// What such a suite is expected to miss, as the finding planned-suite; none for any other.
std::vector<model::Finding> planned_findings(const model::Report& report);

}  // namespace rackproof::evidence
