#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int show_verb(const ShowOptions& options, const Program& program) {
  const model::Report report = load_report(options.report);
  // What scrolls away is said again where people look.
  print(summary(report, program, options.all) + verdict_line(report));
  return options.exit_code ? model::exit_code_of(report.acceptance) : 0;
}

}  // namespace rackproof::cli
