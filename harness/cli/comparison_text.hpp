#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace rackproof::cli {

/// A comparison for people: the two sides, what differs, what goes with it, what is proved to be
/// the same, what is open and how many values would settle it.
std::string comparison_text(const compare::Comparison& result,
                            const std::vector<compare::Sample>& a,
                            const std::vector<compare::Sample>& b, const compare::Options& options);

/// The same as one JSON document (docs/compare.md).
std::string comparison_json(const compare::Comparison& result,
                            const std::vector<compare::Sample>& a,
                            const std::vector<compare::Sample>& b, const compare::Options& options);

}  // namespace rackproof::cli
