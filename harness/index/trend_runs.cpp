#include "harness/index/trend_runs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/index/report_files.hpp"
#include "harness/index/trend_index.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::index {
compare::Runs load_runs(const std::vector<std::string>& paths, const config::ComparisonRules& table,
                        const std::string& index_file, bool skip_unfit) {
  const std::vector<std::string> files = report_files_in(paths);
  TrendIndex index(index_file, table, files);
  compare::Runs runs;
  std::set<std::string> known;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    try {
      compare::Sample sample = index.sample(
          i, [&] { return compare::sample_of(archive::load_report(file), table, file); });
      if (!known.insert(sample.run).second) {
        runs.skipped.push_back(file + ": is run " + sample.run + " again");
        continue;
      }
      runs.samples.push_back(std::move(sample));
    } catch (const support::UsageError& error) {
      if (!skip_unfit) {
        index.finish();
        throw;
      }
      runs.skipped.emplace_back(error.what());
      ++runs.unfit;
    }
  }
  index.finish();
  std::stable_sort(runs.samples.begin(), runs.samples.end(),
                   [](const auto& a, const auto& b) { return a.began_utc < b.began_utc; });
  return runs;
}

}  // namespace rackproof::index
