#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/document/located_json.hpp"

namespace rackproof::config {

inline const std::string kData = std::string(RACKPROOF_SOURCE_DIR) + "/tests/data/config/";
inline const std::string kConfigs = std::string(RACKPROOF_SOURCE_DIR) + "/configs/";
inline const std::string kRecordSchema =
    std::string(RACKPROOF_SOURCE_DIR) + "/reports/schema/record.schema.json";

/// What `action` throws as ConfigError, or "accepted".
template <typename Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const document::ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rackproof-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name, std::string_view text) const {
    std::string whole = path_ + "/" + name;
    std::ofstream(whole, std::ios::binary) << text;
    return whole;
  }

 private:
  std::string path_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace rackproof::config
