#include <fmt/format.h>

#include <algorithm>

#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/diagnose/diagnosis.hpp"
#include "harness/diagnose/row_source.hpp"
#include "harness/support/memory.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::cli {
namespace {

/// Which metrics some of the globs match. A glob that matches none is a mistake.
std::vector<bool> matched(const std::vector<std::string>& globs,
                          const std::vector<std::string>& metrics, const char* option) {
  std::vector<bool> found(metrics.size(), false);
  for (const std::string& glob : globs) {
    bool any = false;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (!model::glob_match(glob, metrics[i])) continue;
      found[i] = true;
      any = true;
    }
    if (!any) throw UsageError(fmt::format("{} '{}' matches no metric", option, glob));
  }
  return found;
}

std::vector<stats::BadSide> bad_sides(const DiagnoseOptions& options,
                                      const std::vector<std::string>& metrics) {
  const auto more = matched(options.more_is_better, metrics, "--more-is-better");
  const auto less = matched(options.less_is_better, metrics, "--less-is-better");
  std::vector<stats::BadSide> sides(metrics.size(), stats::BadSide::kBoth);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (more[i] && less[i]) {
      throw UsageError(fmt::format("--more-is-better and --less-is-better both match {}",
                                   model::printable(metrics[i], 80)));
    }
    if (more[i]) sides[i] = stats::BadSide::kBelow;
    if (less[i]) sides[i] = stats::BadSide::kAbove;
  }
  return sides;
}

}  // namespace

int diagnose_verb(const DiagnoseOptions& options, const Program& /*program*/) {
  support::keep_freed_memory();
  const ingest::RowTable table = diagnose::load_rows(options.rows);
  if (table.size() == 0 || table.metrics().empty()) {
    throw UsageError(options.rows +
                     ": holds no measurements: expected one JSON object a line, "
                     "with the text \"node\" and numbers");
  }
  const diagnose::Diagnosis diagnosis =
      diagnose::diagnose(table, bad_sides(options, table.metrics()), {});
  if (!options.out.empty()) {
    archive::write_durably(options.out, to_json(diagnosis));
  }
  print(options.json ? to_json(diagnosis) : to_text(diagnosis));
  if (diagnose::stands_out(diagnosis)) return kRejected;
  return diagnosis.incomplete > 0 ? kIncomplete : kAccepted;
}

}  // namespace rackproof::cli
