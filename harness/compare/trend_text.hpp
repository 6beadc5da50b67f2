#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/compare/sample.hpp"
#include "harness/compare/trend.hpp"

namespace rackproof::compare {

/// Runs whose trend is looked for.
struct Runs {
  std::vector<compare::Sample> samples;  ///< in the order of time
  std::vector<std::string> skipped;      ///< why, with the file
  std::size_t unfit = 0;                 ///< of these, those that could not be read
};

/// A trend for people: alarms, then what became worse and better, with what changed there.
std::string trend_text(const Runs& runs, const Trend& result);

/// The same as one JSON document (docs/trend.md).
std::string trend_json(const Runs& runs, const Trend& result);

}  // namespace rackproof::compare
