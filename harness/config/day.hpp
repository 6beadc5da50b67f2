#pragma once

#include <string>

#include "harness/config/reader.hpp"

namespace rackproof::config {

/// True for a day as YYYY-MM-DD.
bool is_day(const std::string& text);

/// A day as YYYY-MM-DD. Throws ConfigError.
std::string read_day(const Field& field);

}  // namespace rackproof::config
