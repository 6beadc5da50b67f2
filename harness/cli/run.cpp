#include "harness/job/run.hpp"

#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {
namespace {

Detail detail_of(const RunOptions& options) {
  if (options.all) return Detail::kAll;
  if (options.verbose) return Detail::kSummary;
  return options.quiet ? Detail::kVerdict : Detail::kBrief;
}

}  // namespace

int run_verb(const RunOptions& options, const Program& program) {
  return job::run(options, program, screen_of(program, detail_of(options), options.json));
}

}  // namespace rackproof::cli
