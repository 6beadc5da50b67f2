#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rackproof::model {

/// Nanoseconds since 1970 as RFC 3339 with milliseconds, as every time in a report is written:
/// "2026-01-31T12:00:00.250Z".
std::string utc_text(std::int64_t unix_ns);

/// Seconds since 1970 of what utc_text() gives, with or without the milliseconds; nothing for any
/// other text.
std::optional<double> unix_seconds(const std::string& utc);

/// "2026-03-01 02:00" of a time as reports write it.
std::string minute_of(const std::string& utc);

}  // namespace rackproof::model
