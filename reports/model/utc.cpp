#include "reports/model/utc.hpp"

#include <fmt/format.h>
#include <time.h>

#include <ctime>
#include <string_view>

namespace rackproof::model {

std::string utc_text(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     unix_ns / 1'000'000 % 1000);
}

std::optional<double> unix_seconds(const std::string& utc) {
  constexpr std::string_view kExact = "dddd-dd-ddTdd:dd:dd.dddZ";
  constexpr std::string_view kWhole = "dddd-dd-ddTdd:dd:ddZ";
  const std::string_view shape = utc.size() == kWhole.size() ? kWhole : kExact;
  if (utc.size() != shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool digit = utc[i] >= '0' && utc[i] <= '9';
    if (shape[i] == 'd' ? !digit : utc[i] != shape[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) value = value * 10 + (utc[i] - '0');
    return value;
  };
  std::tm parts{};
  parts.tm_year = number(0, 4) - 1900;
  parts.tm_mon = number(5, 2) - 1;
  parts.tm_mday = number(8, 2);
  parts.tm_hour = number(11, 2);
  parts.tm_min = number(14, 2);
  parts.tm_sec = number(17, 2);
  const double milliseconds = shape == kExact ? number(20, 3) : 0;
  return static_cast<double>(timegm(&parts)) + milliseconds * 1e-3;
}

std::string minute_of(const std::string& utc) {
  if (utc.size() < 16) return utc.empty() ? "-" : utc;
  return utc.substr(0, 10) + " " + utc.substr(11, 5);
}

}  // namespace rackproof::model
