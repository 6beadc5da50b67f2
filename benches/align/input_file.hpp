#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace rackproof::align {

/// A file to be read and its size. Throws UsageError where it is no regular file or cannot be
/// opened.
struct InputFile {
  explicit InputFile(const std::string& path);

  std::ifstream in;
  std::int64_t bytes = 0;
};

}  // namespace rackproof::align
