#include "harness/config/day.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>

#include "contract/unit.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::config {
namespace {

constexpr double kDay = 24 * 3600.0;

/// Two digits of a day, or -1.
int digits(const std::string& text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : -100;
  };
  return std::max(-1, 10 * digit(at) + digit(at + 1));
}

}  // namespace

bool is_day(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int century = digits(text, 0);
  const int year = digits(text, 2);
  const int month = digits(text, 5);
  const int day = digits(text, 8);
  if (century < 0 || year < 0 || month < 0 || day < 0) return false;
  return std::chrono::year_month_day(std::chrono::year(100 * century + year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

std::optional<double> time_seconds(const std::string& text, std::string_view bare) {
  double value = 0;
  const char* const end_of_text = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), end_of_text, value);
  std::string_view unit(end, static_cast<std::size_t>(end_of_text - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) unit = bare;
  double factor = unit == "d" ? kDay : unit == "w" ? 7 * kDay : 0;
  const auto known = contract::find_unit(unit);
  if (known && known->base == "s") factor = known->factor;
  const double seconds = value * factor;
  if (error != std::errc() || !(seconds > 0) || !std::isfinite(seconds)) return std::nullopt;
  return seconds;
}

double parse_time(const std::string& text, std::string_view bare) {
  if (const auto seconds = time_seconds(text, bare)) return *seconds;
  throw support::UsageError("'" + text +
                            "' is not a time: expected for example 90 s, 10 min, 12 h or 30 d");
}

double read_days(const document::Field& field) {
  const std::string text = field.text();
  const std::optional<double> seconds = time_seconds(text);
  if (!seconds || *seconds < kDay || *seconds > 36'525 * kDay) {
    field.fail("expected a time of a day at least and 100 years at most, such as '90 d', got '" +
               text + "'");
  }
  return *seconds;
}

std::string read_day(const document::Field& field) {
  std::string day = field.text();
  if (!is_day(day)) field.fail("expected the last day as YYYY-MM-DD, got '" + day + "'");
  return day;
}

}  // namespace rackproof::config
