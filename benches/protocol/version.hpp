#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::protocol {

/// The release, from CMake's project(VERSION).
std::string_view version();

/// The git commit the tree was built from, with "-dirty" when it had local changes; "unknown"
/// outside a checkout.
std::string_view commit();

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
