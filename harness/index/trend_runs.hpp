#pragma once

#include <string>
#include <vector>

#include "harness/compare/trend_text.hpp"
#include "harness/config/comparison.hpp"

namespace rackproof::index {

/// What the reports of many runs say, with the help of the index in `index_file` (empty: none).
/// `paths` are reports, and folders for all report.json below them. Those that cannot be read are
/// told in the result when `skip_unfit`, else the first of them is thrown: UsageError.
compare::Runs load_runs(const std::vector<std::string>& paths, const config::ComparisonRules& table,
                        const std::string& index_file, bool skip_unfit);

}  // namespace rackproof::index
