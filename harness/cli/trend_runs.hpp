#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cli/program.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/compare/sample.hpp"

namespace rackproof::cli {

struct Runs {
  std::vector<compare::Sample> samples;  ///< in the order of time
  std::vector<std::string> skipped;      ///< why, with the file
  std::size_t unfit = 0;                 ///< of these, those that could not be read
};

/// What the reports of many runs say, with the help of an index, if there may be one. Throws
/// UsageError.
Runs load_runs(const TrendOptions& options, const Program& program);

}  // namespace rackproof::cli
