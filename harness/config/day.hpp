#pragma once

#include <optional>
#include <string>

#include "harness/config/reader.hpp"

namespace rackproof::config {

/// True for a day as YYYY-MM-DD.
bool is_day(const std::string& text);

/// Seconds of an age in hours, days or weeks: "12h", "30 d", "8w"; nothing for any other text.
std::optional<double> age_seconds(const std::string& text);

/// A day as YYYY-MM-DD. Throws ConfigError.
std::string read_day(const Field& field);

}  // namespace rackproof::config
