#pragma once

#include <vector>

#include "harness/config/comparison.hpp"
#include "reports/model/report.hpp"

namespace rackproof::run {

/// How the hosts of a report are set up: what is unlike among them (drift::compare), the findings
/// that its suite suppresses on the day when the run began as such, the gravest first. What their
/// tables expect of them is the judge's to say (judge::find_unmet).
std::vector<model::Finding> check_configuration(const model::Report& report,
                                                const config::Comparison& rules);

/// The gravest first, in their order otherwise.
void sort_by_severity(std::vector<model::Finding>& findings);

}  // namespace rackproof::run
