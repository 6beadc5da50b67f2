#include "harness/cli/before_claims.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int show_verb(const ShowOptions& options, const Program& program) {
  const model::Report report = load_report(options.report);
  // What scrolls away is said again where people look.
  print(summary(report, program, options.all) + verdict_line(report));
  return options.exit_code ? verdict_code(report) : 0;
}

}  // namespace rackproof::cli
