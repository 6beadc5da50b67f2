#include "harness/config/day.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace rackproof::config {
namespace {

/// Two digits of a day, or -1.
int digits(const std::string& text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : -100;
  };
  return std::max(-1, 10 * digit(at) + digit(at + 1));
}

}  // namespace

bool is_day(const std::string& text) {
  constexpr std::array kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int month = digits(text, 5);
  const int day = digits(text, 8);
  if (digits(text, 0) < 0 || digits(text, 2) < 0 || month < 1 || month > 12) return false;
  return day >= 1 && day <= kDays.at(static_cast<std::size_t>(month) - 1);
}

std::optional<double> age_seconds(const std::string& text) {
  constexpr double kHour = 3600;
  constexpr double kDay = 24 * kHour;
  double value = 0;
  const char* const end_of_text = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), end_of_text, value);
  std::string_view unit(end, static_cast<std::size_t>(end_of_text - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const double factor = unit == "h" ? kHour : unit == "d" ? kDay : unit == "w" ? 7 * kDay : 0;
  const double seconds = value * factor;
  if (error != std::errc() || !(seconds > 0) || !std::isfinite(seconds)) return std::nullopt;
  return seconds;
}

std::string read_day(const Field& field) {
  std::string day = field.text();
  if (!is_day(day)) field.fail("expected the last day as YYYY-MM-DD, got '" + day + "'");
  return day;
}

}  // namespace rackproof::config
