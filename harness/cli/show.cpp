#include "harness/archive/report_file.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/rejudge/before_claims.hpp"
#include "reports/json/summary_json.hpp"

namespace rackproof::cli {

int show_verb(const ShowOptions& options, const Program& program) {
  const model::Report report = archive::load_report(options.report);
  // What scrolls away is said again where people look.
  print(options.json ? model::summary_json(report)
                     : summary(report, program, options.all) + verdict_line(report));
  return options.exit_code ? rejudge::verdict_code(report) : 0;
}

}  // namespace rackproof::cli
