#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace rackproof::golden {

inline std::string path(const std::string& name) {
  return std::string(RACKPROOF_SOURCE_DIR) + "/tests/golden/" + name;
}

inline std::string read(const std::string& name) {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Compares `actual` byte for byte with the golden file; with RACKPROOF_UPDATE_GOLDENS=1 in the
/// environment writes it there instead, so that the change can be read in a diff.
inline void check(const std::string& name, const std::string& actual) {
  const char* update = std::getenv("RACKPROOF_UPDATE_GOLDENS");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream file(path(name), std::ios::binary | std::ios::trunc);
    file << actual;
    REQUIRE(file.flush());
    return;
  }
  INFO("golden " << name << "; RACKPROOF_UPDATE_GOLDENS=1 rewrites it");
  CHECK(read(name) == actual);
}

}  // namespace rackproof::golden
