#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "harness/document/reader.hpp"

namespace rackproof::config {

/// The variables that a step sets for its bench, each of at most `longest` bytes. Refuses those
/// that choose which program runs, and those of the launcher and the harness. Throws ConfigError.
std::map<std::string, std::string> read_step_environment(const document::Field& field,
                                                         std::size_t longest);

}  // namespace rackproof::config
