#pragma once

#include <string>

namespace rackproof::support {

/// Writes to stdout and flushes; an error (a closed pipe, a full disk) is a std::runtime_error.
void print(const std::string& text);

/// Writes to stderr what may be lost: progress must never end a run, and a closed terminal is no
/// error.
void write_stderr(const std::string& text);

}  // namespace rackproof::support
