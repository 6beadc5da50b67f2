#include "harness/cli/judging_tables.hpp"

#include <fmt/format.h>

#include "harness/config/places.hpp"
#include "harness/lint/lint.hpp"
#include "harness/support/files.hpp"

namespace rackproof::cli {
namespace {

// Of the errors in one table: the rest is for `check` to tell.
constexpr std::size_t kToldAtOnce = 5;

model::PlatformTable lint_table(const std::string& path, const Program& program,
                                const config::MetricCatalogue& catalogue, JudgingTables& judging) {
  config::PlacedTable placed = config::load_placed_platform(path, program.paths.platforms);
  std::string text;
  std::size_t errors = 0;
  for (const lint::Complaint& complaint : lint::lint(placed, catalogue)) {
    if (complaint.weight == lint::Weight::kWarning) {
      judging.warnings[placed.table.id].push_back(lint::to_text(complaint));
    } else if (errors++ < kToldAtOnce) {
      text += (text.empty() ? "" : "\n") + lint::to_text(complaint);
    }
  }
  if (errors > kToldAtOnce) text += fmt::format("\n{}: and {} more", path, errors - kToldAtOnce);
  if (errors > 0) throw UsageError(text);
  return std::move(placed.table);
}

}  // namespace

config::MetricCatalogue installed_metrics(const Program& program) {
  config::MetricCatalogue catalogue = config::load_catalogue(program.paths.metrics);
  if (catalogue.empty()) {
    throw UsageError(program.paths.metrics +
                     ": holds no metrics of any bench; the installation is not whole");
  }
  return catalogue;
}

JudgingTables load_judging_table(const std::string& named, const Program& program) {
  JudgingTables judging;
  const std::string path = resolve_config(named, program.paths.platforms, "platform");
  judging.tables.push_back(lint_table(path, program, installed_metrics(program), judging));
  judging.forced = judging.tables.front().id;
  return judging;
}

JudgingTables load_judging_tables(const std::string& named, const Program& program) {
  if (named != "auto") return load_judging_table(named, program);
  const config::MetricCatalogue catalogue = installed_metrics(program);
  JudgingTables judging;
  for (const std::string& name : support::names_in(program.paths.platforms, ".json")) {
    judging.tables.push_back(
        lint_table(program.paths.platforms + "/" + name + ".json", program, catalogue, judging));
  }
  if (judging.tables.empty()) {
    throw UsageError(program.paths.platforms + ": there are no platform tables");
  }
  return judging;
}

}  // namespace rackproof::cli
