#pragma once

#include <map>
#include <string>
#include <vector>

namespace rackproof::config {

/// Where this program's other files are: the same in the build tree and after installation.
struct Paths {
  std::string self;       ///< what a child starts: never rackproof-mpi where rackproof is beside it
  std::string programs;   ///< libexec/rackproof
  std::string suites;     ///< share/rackproof/configs/suites
  std::string platforms;  ///< share/rackproof/configs/platforms
  std::string schemas;    ///< share/rackproof/schema
  std::string benches;    ///< share/rackproof/benches
  std::string comparison;          ///< share/rackproof/configs/comparison.json
  std::string causes;              ///< share/rackproof/configs/causes.json
  std::string faults;              ///< share/rackproof/configs/faults.json
  std::vector<std::string> sites;  ///< folders of the site, with suites/ and platforms/ of its own
};

/// Of what a site may have files of its own, beside those that are installed.
enum class FileOf { kSuite, kPlatform };

/// Folders of the site that are there: those of RACKPROOF_PATH, between colons; rackproof/ in
/// XDG_CONFIG_HOME, or in ~/.config; /etc/rackproof. None where RACKPROOF_PATH is set and empty:
/// then what a site has changes nothing. Throws UsageError for one of RACKPROOF_PATH
/// that is not absolute or not there, and for any in which everybody may write.
std::vector<std::string> site_folders(const std::map<std::string, std::string>& environment);

/// Where this user's state is kept: rackproof in XDG_STATE_HOME, or in ~/.local/state. Empty where
/// neither variable is an absolute path.
std::string state_folder(const std::map<std::string, std::string>& environment);

/// Path of each suite or platform table by its name, installed and of the site. Throws UsageError
/// where a name stands for two files: none hides another.
std::map<std::string, std::string> files_of(const Paths& paths, FileOf kind);

/// A suite or platform named on the command line: a path when it has a slash or ends in .json, else
/// a name of files_of(). Throws UsageError with the nearest names.
std::string resolve_config(const std::string& name, const Paths& paths, FileOf kind);

}  // namespace rackproof::config
