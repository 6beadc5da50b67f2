#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace rackproof::compare {

/// A comparison as one page without scripts: the counts, the two sides, each quantity with its
/// interval drawn beside the margin, and what goes with the differences.
std::string comparison_page(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options);

}  // namespace rackproof::compare
