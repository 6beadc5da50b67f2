#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace rackproof::cli {

/// A comparison as one page without scripts: the counts, the two sides, each quantity with its
/// interval drawn beside the margin, and what goes with the differences.
std::string comparison_page(const compare::Comparison& result,
                            const std::vector<compare::Sample>& a,
                            const std::vector<compare::Sample>& b, const compare::Options& options);

}  // namespace rackproof::cli
