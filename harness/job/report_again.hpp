#pragma once

#include <string>
#include <vector>

#include "harness/job/program.hpp"

namespace rackproof::job {

/// Makes the report of a run directory out of its journals once more, writes it with the renderings
/// that are named beside it, and prints what stands there. Gives the exit code of the verdict.
/// Throws UsageError when the directory holds no run.
int report_again(const std::string& directory, const std::vector<std::string>& renderings,
                 const Screen& screen);

}  // namespace rackproof::job
