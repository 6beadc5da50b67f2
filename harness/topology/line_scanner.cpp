#include "harness/topology/line_scanner.hpp"

#include <charconv>
#include <limits>

#include "harness/document/located_json.hpp"

namespace rackproof::topology {
namespace {

constexpr std::size_t kShown = 40;
constexpr std::string_view kBlanks = " \t";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

void LineScanner::skip_blanks() {
  const std::size_t begin = rest_.find_first_not_of(kBlanks);
  rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
}

bool LineScanner::take(std::string_view text) {
  if (!rest_.starts_with(text)) return false;
  rest_.remove_prefix(text.size());
  return true;
}

void LineScanner::expect(std::string_view text, const char* field) {
  if (!take(text)) fail(field, "'" + std::string(text) + "'");
}

std::uint64_t LineScanner::digits(const char* field, int base, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = rest_.data() + rest_.size();
  const auto [stopped, error] = std::from_chars(rest_.data(), end, value, base);
  if (error != std::errc() || value > most) {
    fail(field, base == 16 ? "up to 16 hexadecimal digits"
                           : "a whole number up to " + std::to_string(most));
  }
  rest_.remove_prefix(static_cast<std::size_t>(stopped - rest_.data()));
  return value;
}

int LineScanner::port(const char* field) {
  constexpr std::uint64_t kMost = 255;
  const LineScanner before = *this;
  const std::uint64_t value = digits(field, 10, kMost);
  if (value == 0) before.fail(field, "a port from 1 to 255");
  return static_cast<int>(value);
}

void LineScanner::number(const char* field) {
  digits(field, 10, std::numeric_limits<std::uint32_t>::max());
}

std::uint64_t LineScanner::guid(const char* field) {
  return digits(field, 16, std::numeric_limits<std::uint64_t>::max());
}

bool LineScanner::skip_past(std::string_view text) {
  const std::size_t at = rest_.find(text);
  if (at == std::string_view::npos) return false;
  rest_.remove_prefix(at + text.size());
  return true;
}

std::string LineScanner::quoted(const char* field) {
  const std::size_t first = rest_.find('"');
  const std::size_t last = rest_.rfind('"');
  if (first == std::string_view::npos || first == last) fail(field, "a name in double quotes");
  std::string name(trimmed(rest_.substr(first + 1, last - first - 1)));
  rest_.remove_prefix(last + 1);
  return name;
}

void LineScanner::fail(const char* field, const std::string& expected) const {
  const std::string_view got = rest_.substr(0, kShown);
  throw document::ConfigError(
      *file_, number_, field,
      "expected " + expected +
          (got.empty() ? ", got the end of the line" : ", got '" + std::string(got) + "'"));
}

std::pair<std::string, std::string> host_and_nic(std::string_view name) {
  name = trimmed(name);
  const std::size_t blank = name.find(' ');
  if (blank == std::string_view::npos || name.find(' ', blank + 1) != std::string_view::npos) {
    return {};
  }
  return {std::string(name.substr(0, blank)), std::string(name.substr(blank + 1))};
}

}  // namespace rackproof::topology
