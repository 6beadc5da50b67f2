#pragma once

#include <string>

#include "harness/config/suite.hpp"
#include "reports/model/report.hpp"

namespace rackproof::job {

/// Which of the programs that a suite names, rackproof included, are others than those that the
/// run was begun with; empty: none. What a suite does not name gives no result.
std::string changed_programs(const model::ToolInfo& before, const model::ToolInfo& now,
                             const config::Suite& suite);

}  // namespace rackproof::job
