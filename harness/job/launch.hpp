#pragma once

#include <string>
#include <vector>

#include "harness/job/program.hpp"

namespace rackproof::job {

/// Starts the command of a launcher, which has rackproof run in it, and once more without the hosts
/// that are lost on the way, `attempts` times at most. Gives the exit code. Throws UsageError for a
/// command that cannot be continued, before anything is started.
int launch(const std::vector<std::string>& launcher, int attempts, const Program& program,
           const Screen& screen);

}  // namespace rackproof::job
