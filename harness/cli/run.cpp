#include "harness/job/run.hpp"

#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int run_verb(const RunOptions& options, const Program& program) {
  return job::run(options, program, screen_of(program));
}

}  // namespace rackproof::cli
