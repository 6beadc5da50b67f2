#pragma once

#include <string>

namespace rackproof::config {

/// Where this program's other files are: the same in the build tree and after installation.
struct Paths {
  std::string self;       ///< what a child starts: never rackproof-mpi where rackproof is beside it
  std::string programs;   ///< libexec/rackproof
  std::string suites;     ///< share/rackproof/configs/suites
  std::string platforms;  ///< share/rackproof/configs/platforms
  std::string schemas;    ///< share/rackproof/schema
  std::string benches;    ///< share/rackproof/benches
  std::string comparison;  ///< share/rackproof/configs/comparison.json
  std::string causes;      ///< share/rackproof/configs/causes.json
};

/// A suite or platform named on the command line: a path when it has a slash or ends in .json, else
/// a name in `folder`. Throws UsageError with the nearest names.
std::string resolve_config(const std::string& name, const std::string& folder, const char* what);

}  // namespace rackproof::config
