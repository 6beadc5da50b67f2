#pragma once

#include "harness/job/program.hpp"
#include "harness/job/run_options.hpp"

namespace rackproof::job {

/// This process as a rank of a run, or as all of it: rank 0 leads, the others follow. Gives the
/// exit code. Throws UsageError, NothingSelected and document::ConfigError for what cannot be
/// begun.
int run(const RunOptions& options, const Program& program, const Screen& screen);

}  // namespace rackproof::job
