#include "harness/config/installed.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "harness/document/nearest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"

namespace rackproof::config {
namespace {

constexpr const char* kPath = "RACKPROOF_PATH";
constexpr const char* kOfSystem = "/etc/rackproof";

std::string variable(const std::map<std::string, std::string>& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

// Whoever may write there would choose what a machine must reach.
void refuse_open_to_all(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) == 0) return;
  throw support::UsageError(folder +
                            ": everybody may write to this directory of suites and tables");
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

void add_named(const std::string& list, std::vector<std::string>& folders) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    const std::string folder = list.substr(at, end - at);
    at = end + 1;
    if (folder.empty()) continue;
    if (!folder.starts_with('/') || !is_folder(folder)) {
      throw support::UsageError(std::string(kPath) + ": '" + folder +
                                "' is not the absolute path of a directory");
    }
    folders.push_back(folder);
  }
}

const char* word_of(FileOf kind) { return kind == FileOf::kSuite ? "suite" : "platform"; }

void add_files(const std::string& folder, FileOf kind, std::map<std::string, std::string>& files) {
  for (const std::string& name : support::names_in(folder, ".json")) {
    const std::string path = folder + "/" + name + ".json";
    const auto [known, fresh] = files.emplace(name, path);
    if (fresh || known->second == path) continue;
    throw support::UsageError(std::string("there are two files for the ") + word_of(kind) + " '" +
                              name + "': " + known->second + " and " + path +
                              "; rename yours, and its id");
  }
}

}  // namespace

std::vector<std::string> site_folders(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> folders;
  const auto named = environment.find(kPath);
  if (named != environment.end() && named->second.empty()) return folders;
  add_named(variable(environment, kPath), folders);
  std::string config = variable(environment, "XDG_CONFIG_HOME");
  const std::string home = variable(environment, "HOME");
  if (config.empty() && !home.empty()) config = home + "/.config";
  if (config.starts_with('/')) config += "/rackproof";
  for (const std::string& folder : {config, std::string(kOfSystem)}) {
    const bool known = std::find(folders.begin(), folders.end(), folder) != folders.end();
    if (folder.starts_with('/') && !known && is_folder(folder)) folders.push_back(folder);
  }
  for (const std::string& folder : folders) {
    for (const char* part : {"", "/suites", "/platforms"}) refuse_open_to_all(folder + part);
  }
  return folders;
}

std::string state_folder(const std::map<std::string, std::string>& environment) {
  // The specification of these folders: a path that is not absolute is to be ignored.
  const std::string state = variable(environment, "XDG_STATE_HOME");
  if (state.starts_with('/')) return state + "/rackproof";
  const std::string home = variable(environment, "HOME");
  return home.starts_with('/') ? home + "/.local/state/rackproof" : "";
}

std::map<std::string, std::string> files_of(const Paths& paths, FileOf kind) {
  std::map<std::string, std::string> files;
  add_files(kind == FileOf::kSuite ? paths.suites : paths.platforms, kind, files);
  for (const std::string& site : paths.sites) {
    add_files(site + (kind == FileOf::kSuite ? "/suites" : "/platforms"), kind, files);
  }
  return files;
}

std::string resolve_config(const std::string& name, const Paths& paths, FileOf kind) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const auto files = files_of(paths, kind);
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [one, path] : files) known.push_back(one);
  throw support::UsageError("there is no " + std::string(word_of(kind)) + " called '" + name + "'" +
                            document::suggestion(name, known));
}

}  // namespace rackproof::config
