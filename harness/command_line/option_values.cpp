#include "harness/command_line/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "harness/config/day.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::command_line {
namespace {

CLI::Validator time_check(std::string_view bare) {
  const auto check = [bare](const std::string& text) -> std::string {
    try {
      config::parse_time(text, bare);
      return "";
    } catch (const support::UsageError& wrong) {
      return wrong.what();
    }
  };
  return {check, "", ""};
}

// CLI::Validator has the text in and out.
CLI::Validator share_of(double percent) {
  const auto change = [percent](std::string& text) -> std::string {
    std::string_view number(text);
    if (!number.ends_with('%')) return "";
    number.remove_suffix(1);
    while (number.ends_with(' ')) number.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) {
      return "'" + text + "' is not a share: expected for example 2 %";
    }
    text = fmt::format("{}", value * percent);
    return "";
  };
  return {change, "", ""};
}

}  // namespace

CLI::Validator as_milliseconds() {
  const auto change = [](std::string& text) -> std::string {
    const auto seconds = config::time_seconds(text, "ms");
    if (!seconds) return "'" + text + "' is not a time: expected for example 100 ms";
    text = fmt::format("{}", *seconds * 1e3);
    return "";
  };
  return {change, "", ""};
}
CLI::Validator is_time() { return time_check("s"); }
CLI::Validator is_time_with_unit() { return time_check(""); }
CLI::Validator as_percent() { return share_of(1); }
CLI::Validator as_fraction() { return share_of(0.01); }

}  // namespace rackproof::command_line
