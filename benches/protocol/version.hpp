#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::protocol {

/// The release, from the file VERSION.
std::string_view version();

/// The git commit the tree was built from, with "-dirty" when it had local changes; "unknown" for
/// what is neither a checkout nor an archive that git made of one.
std::string_view commit();

/// The day of that commit, as in 2026-01-31; empty when the commit is not known.
std::string_view commit_date();

/// Compiler, build type and sanitizers of this build.
std::map<std::string, std::string> build_facts();

/// An optional part of the build: on, or off and why, and what is missing without it.
struct Feature {
  std::string_view name;
  bool on;
  std::string_view why_off;
  std::string_view lost;
};

/// Every optional feature, as decided at configure time.
std::vector<Feature> features();

/// One line for --version: program, version, commit, build type.
std::string version_line(std::string_view program);

}  // namespace rackproof::protocol
