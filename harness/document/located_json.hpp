#pragma once

#include <stdexcept>
#include <string>

namespace rackproof::document {

/// A file that cannot be used. what() is one line: "FILE:LINE: FIELD: what is wrong, what was
/// expected" (line and field are left out where there is none, as for a file that is a directory).
struct ConfigError : std::runtime_error {
  ConfigError(std::string file_name, int line_number, std::string field_name, std::string text);

  std::string file;
  int line = 0;       ///< 1-based; 0 when the file as a whole is wrong
  std::string field;  ///< "steps[2].deadline"; empty when the file as a whole is wrong
  std::string message;
};

}  // namespace rackproof::document
