#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/job/report_again.hpp"

namespace rackproof::cli {

int assemble_verb(const AssembleOptions& options, const Program& program) {
  if (options.settle) job::await_journals(options.directory);
  return job::report_again(options.directory, options.render, options.compress, screen_of(program));
}

}  // namespace rackproof::cli
