#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/reader.hpp"

namespace rackproof::config {

/// True for a day as YYYY-MM-DD.
bool is_day(const std::string& text);

/// Seconds of a time as options take it, in any unit of time or in days or weeks: "90 s", "10min",
/// "12h", "30 d", "8w"; a number alone in `bare`. Nothing for any other text, nor for 0.
std::optional<double> time_seconds(const std::string& text, std::string_view bare = "");

/// The same. Throws UsageError, which says what is expected.
double parse_time(const std::string& text, std::string_view bare = "");

/// Seconds of a time of a day at least and 100 years at most: "90 d". Throws ConfigError.
double read_days(const document::Field& field);

/// A day as YYYY-MM-DD. Throws ConfigError.
std::string read_day(const document::Field& field);

}  // namespace rackproof::config
