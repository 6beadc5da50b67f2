#pragma once

#include <string>

#include "harness/job/program.hpp"

namespace rackproof::job {

/// Plants faults in runs over all ranks of this job, and looks whether each is found and named. The
/// proof is printed and written to `out` (empty: a new directory), and to where the next run looks
/// for it. Gives the exit code. Throws UsageError for what cannot be begun.
int prove_detectors(const std::string& out, const Program& program, const Screen& screen);

}  // namespace rackproof::job
