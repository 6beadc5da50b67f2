#include "harness/index/trend_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/index/trend_index.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::index {
namespace {

namespace fs = std::filesystem;

// Every report.json below a folder; of one without any, its own .json files.
void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<std::string> reports;
  std::vector<std::string> others;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& path = entry.path();
    if (path.filename() == "report.json") {
      reports.push_back(path.string());
    } else if (path.extension() == ".json" && path.parent_path() == folder) {
      others.push_back(path.string());
    }
  }
  const std::vector<std::string>& found = reports.empty() ? others : reports;
  if (found.empty()) throw support::UsageError(folder.string() + ": holds no reports");
  files.insert(files.end(), found.begin(), found.end());
}

std::vector<std::string> files_in(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    try {
      if (fs::is_directory(path)) {
        add_folder(path, files);
      } else {
        files.push_back(path);
      }
    } catch (const fs::filesystem_error& error) {
      throw support::UsageError(path + ": " + error.code().message());
    }
  }
  return files;
}

}  // namespace

compare::Runs load_runs(const std::vector<std::string>& paths, const config::ComparisonRules& table,
                        const std::string& index_file, bool skip_unfit) {
  const std::vector<std::string> files = files_in(paths);
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
