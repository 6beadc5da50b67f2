#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/config/bench.hpp"
#include "harness/config/places.hpp"

namespace rackproof::lint_test {

inline const std::string kData = std::string(RACKPROOF_SOURCE_DIR) + "/tests/data/lint/";
inline const std::string kPlatforms = std::string(RACKPROOF_SOURCE_DIR) + "/configs/platforms/";

/// What all benches print.
inline const config::MetricCatalogue& catalogue() {
  static const config::MetricCatalogue all =
      config::load_catalogue(std::string(RACKPROOF_BINARY_DIR) + "/share/rackproof/benches");
  return all;
}

/// The .json files of a folder, sorted.
inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace rackproof::lint_test
