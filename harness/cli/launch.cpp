#include "harness/job/launch.hpp"

#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int launch_verb(const LaunchOptions& options, const Program& program) {
  return job::launch(options.launcher, options.attempts, program, screen_of(program));
}

}  // namespace rackproof::cli
