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

/// What the last run is beside those before it. No answer is none of "as before": where nothing
/// could be compared, something is gone, or a file could not be read, which may be last night's.
enum class LastRun { kAsBefore, kUnknown, kWorse };
LastRun last_run(const Runs& runs, const Trend& result);

/// A trend for people: alarms, then what became worse and better, with what changed there.
std::string trend_text(const Runs& runs, const Trend& result);

/// The same as one JSON document (docs/trend.md).
std::string trend_json(const Runs& runs, const Trend& result);

}  // namespace rackproof::compare
