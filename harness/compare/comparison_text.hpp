#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace rackproof::compare {

/// A comparison for people: the two sides, what differs, what goes with it, what is proved to be
/// the same, what is open and how many values would settle it.
std::string comparison_text(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options);

/// The same as one JSON document (docs/compare.md).
std::string comparison_json(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options);

}  // namespace rackproof::compare
