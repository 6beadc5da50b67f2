#include "harness/cli/trend_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/cli/report_file.hpp"
#include "harness/cli/trend_index.hpp"
#include "harness/config/comparison.hpp"

namespace rackproof::cli {
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
  if (found.empty()) throw UsageError(folder.string() + ": holds no reports");
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
      throw UsageError(path + ": " + error.code().message());
    }
  }
  return files;
}

std::string index_file(const TrendOptions& options) {
  if (options.no_index || !options.index.empty()) return options.index;
  for (const std::string& path : options.paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) return path + "/.rackproof-trend.sqlite";
  }
  return {};
}

}  // namespace

Runs load_runs(const TrendOptions& options, const Program& program) {
  const config::Comparison table = config::load_comparison(program.paths.comparison);
  const std::vector<std::string> files = files_in(options.paths);
  TrendIndex index(index_file(options), table, files);
  Runs runs;
  std::set<std::string> known;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    try {
      compare::Sample sample =
          index.sample(i, [&] { return compare::sample_of(load_report(file), table, file); });
      if (!known.insert(sample.run).second) {
        runs.skipped.push_back(file + ": is run " + sample.run + " again");
        continue;
      }
      runs.samples.push_back(std::move(sample));
    } catch (const UsageError& error) {
      if (!options.skip_unfit) {
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

}  // namespace rackproof::cli
