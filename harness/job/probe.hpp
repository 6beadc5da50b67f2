#pragma once

#include <map>
#include <string>
#include <vector>

namespace rackproof::job {

/// What a bench program says of itself when asked with --describe.
struct BenchDescription {
  std::string program;
  std::string summary;
  std::map<std::string, std::string> libraries;
  std::string problem;      ///< not empty: it could not be asked, and why
  std::string unavailable;  ///< not empty: it says that it would measure nothing here, and why
};

/// Starts every program in the folder with --describe, all at once, each with a short deadline and
/// in the environment that a run gives it, with `set` on top.
std::vector<BenchDescription> describe_benches(const std::string& folder,
                                               const std::map<std::string, std::string>& set = {});

/// What a program writes to stdout within a short deadline; [0] is its absolute path. Empty where
/// it cannot be started.
std::string output_of(const std::vector<std::string>& command);

}  // namespace rackproof::job
