#include "harness/compare/trend.hpp"

#include <filesystem>

#include "harness/archive/report_file.hpp"
#include "harness/cli/report_address.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/compare/trend_page.hpp"
#include "harness/compare/trend_text.hpp"
#include "harness/config/comparison.hpp"
#include "harness/index/trend_runs.hpp"

namespace rackproof::cli {
namespace {

// Where the index is, unless it is named: in the first folder of those given.
std::string index_file(const TrendOptions& options) {
  if (options.no_index || !options.index.empty()) return options.index;
  for (const std::string& path : options.paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return path + "/.rackproof-trend.sqlite";
  }
  return {};
}

void write_page(const std::string& file, const compare::Runs& runs, const compare::Trend& result) {
  namespace fs = std::filesystem;
  const std::string folder = fs::absolute(file).parent_path().string();
  archive::write_durably(file, compare::trend_page(runs, result, [&](const std::string& name) {
                           return report_address(fs::absolute(name).string(), folder);
                         }));
}

}  // namespace

int trend_verb(const TrendOptions& options, const Program& program) {
  const config::ComparisonRules table = config::load_comparison(program.paths.comparison);
  const compare::Runs runs =
      index::load_runs(options.paths, table, index_file(options), options.skip_unfit);
  const compare::Trend result = compare::trend(runs.samples, {});
  if (!options.page.empty()) write_page(options.page, runs, result);
  print(options.json ? compare::trend_json(runs, result) : compare::trend_text(runs, result));
  if (options.fail_on.empty()) return kAccepted;
  switch (compare::last_run(runs, result)) {
    case compare::LastRun::kAsBefore:
      return kAccepted;
    case compare::LastRun::kUnknown:
      return kIncomplete;
    case compare::LastRun::kWorse:
      break;
  }
  return kRejected;
}

}  // namespace rackproof::cli
