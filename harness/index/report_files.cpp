#include "harness/index/report_files.hpp"

#include <filesystem>
#include <system_error>

#include "harness/support/errors.hpp"

namespace rackproof::index {
namespace {

namespace fs = std::filesystem;

// Every report.json below a folder, or report.json.zst; of one without any, its own .json and
// .json.zst files. A folder that has both stands for itself: it has one report, or is refused.
void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<std::string> reports;
  std::vector<std::string> others;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& path = entry.path();
    const std::string name = path.filename().string();
    std::error_code error;
    if (name == "report.json") {
      const bool twice = fs::exists(path.string() + ".zst", error);
      reports.push_back(twice ? path.parent_path().string() : path.string());
    } else if (name == "report.json.zst") {
      if (!fs::exists(path.parent_path() / "report.json", error)) reports.push_back(path.string());
    } else if ((name.ends_with(".json") || name.ends_with(".json.zst")) &&
               path.parent_path() == folder) {
      others.push_back(path.string());
    }
  }
  const std::vector<std::string>& found = reports.empty() ? others : reports;
  if (found.empty()) throw support::UsageError(folder.string() + ": holds no reports");
  files.insert(files.end(), found.begin(), found.end());
}

}  // namespace

std::vector<std::string> report_files_in(const std::vector<std::string>& paths) {
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

}  // namespace rackproof::index
