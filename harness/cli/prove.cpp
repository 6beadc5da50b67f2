#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/job/proof.hpp"

namespace rackproof::cli {

int prove_verb(const ProveOptions& options, const Program& program) {
  return job::prove_detectors(options.out, program, screen_of(program));
}

}  // namespace rackproof::cli
