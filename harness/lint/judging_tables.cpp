#include "harness/lint/judging_tables.hpp"

#include <fmt/format.h>

#include <map>

#include "harness/config/bench.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/places.hpp"
#include "harness/lint/lint.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::lint {
namespace {

// Of the errors in one table: the rest is for `check` to tell.
constexpr std::size_t kToldAtOnce = 5;

model::PlatformTable lint_table(const std::string& path, const config::Paths& paths,
                                const config::MetricCatalogue& catalogue, JudgingTables& judging) {
  config::PlacedTable placed = config::load_placed_platform(path, paths.platforms);
  std::string text;
  std::size_t errors = 0;
  for (const Complaint& complaint : lint(placed, catalogue)) {
    if (complaint.weight == Weight::kWarning) {
      judging.warnings[placed.table.id].push_back(to_text(complaint));
    } else if (errors++ < kToldAtOnce) {
      text += (text.empty() ? "" : "\n") + to_text(complaint);
    }
  }
  if (errors > kToldAtOnce) text += fmt::format("\n{}: and {} more", path, errors - kToldAtOnce);
  if (errors > 0) throw support::UsageError(text);
  return std::move(placed.table);
}

}  // namespace

config::MetricCatalogue installed_metrics(const config::Paths& paths) {
  config::MetricCatalogue catalogue = config::load_catalogue(paths.benches);
  if (catalogue.empty()) {
    throw support::UsageError(paths.benches +
                              ": holds no metrics of any bench; the installation is not whole");
  }
  return catalogue;
}

JudgingTables load_judging_table(const std::string& named, const config::Paths& paths) {
  JudgingTables judging;
  const std::string path = config::resolve_config(named, paths, config::FileOf::kPlatform);
  judging.tables.push_back(lint_table(path, paths, installed_metrics(paths), judging));
  judging.forced = judging.tables.front().id;
  return judging;
}

JudgingTables load_judging_tables(const std::string& named, const config::Paths& paths) {
  if (named != "auto") return load_judging_table(named, paths);
  const config::MetricCatalogue catalogue = installed_metrics(paths);
  JudgingTables judging;
  std::map<std::string, std::string> path_of;
  for (const auto& [name, path] : config::files_of(paths, config::FileOf::kPlatform)) {
    judging.tables.push_back(lint_table(path, paths, catalogue, judging));
    const std::string& id = judging.tables.back().id;
    const auto [first, fresh] = path_of.emplace(id, path);
    if (fresh) continue;
    throw support::UsageError(path + ": its id '" + id + "' is that of " + first->second +
                              " too; give yours another");
  }
  if (judging.tables.empty()) {
    throw support::UsageError(paths.platforms + ": there are no platform tables");
  }
  return judging;
}

}  // namespace rackproof::lint
