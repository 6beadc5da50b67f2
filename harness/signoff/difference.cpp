#include "harness/signoff/difference.hpp"

#include <fmt/format.h>

#include <vector>

#include "reports/model/printable.hpp"

namespace rackproof::signoff {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  const std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  return line;
}

/// The path of the line that was read last. A line of canonical JSON is indented by one space for
/// each object or list that it is in.
class Path {
 public:
  void take(std::string_view line) {
    const std::size_t depth = line.find_first_not_of(' ');
    if (depth == std::string_view::npos || depth == 0) return;
    line.remove_prefix(depth);
    if (line.front() == ']' || line.front() == '}') {
      levels_.resize(std::min(levels_.size(), depth));
      return;
    }
    levels_.resize(depth);
    Level& level = levels_.back();
    const std::size_t colon = line.front() == '"' ? end_of_key(line) : std::string_view::npos;
    if (colon == std::string_view::npos) {
      level.key = std::to_string(level.next++);
    } else {
      level.key = std::string(line.substr(1, colon - 1));
    }
  }
  std::string text() const {
    std::string out;
    for (const Level& level : levels_) out += "/" + level.key;
    return out.empty() ? "the document" : out;
  }

 private:
  struct Level {
    std::string key;
    int next = 0;
  };

  /// Of the quote that ends a key; npos for a text in a list.
  static std::size_t end_of_key(std::string_view line) {
    for (std::size_t at = 1; at < line.size(); ++at) {
      if (line[at] == '\\') {
        ++at;
      } else if (line[at] == '"') {
        return line.substr(at + 1).starts_with(':') ? at : std::string_view::npos;
      }
    }
    return std::string_view::npos;
  }

  std::vector<Level> levels_;
};

std::string shown(std::string_view line) {
  constexpr std::size_t kMost = 80;
  const std::size_t from = line.find_first_not_of(' ');
  if (from == std::string_view::npos) return "nothing";
  return model::printable(line.substr(from), kMost);
}

}  // namespace

std::string first_difference(std::string_view report, std::string_view expected) {
  Path path;
  for (int number = 1; !report.empty() || !expected.empty(); ++number) {
    const bool last = report.find('\n') == std::string_view::npos;
    const bool also = expected.find('\n') == std::string_view::npos;
    const std::string_view has = take_line(report);
    const std::string_view wants = take_line(expected);
    path.take(wants);
    if (has == wants && last == also) continue;
    return fmt::format("line {}, {}: has {}, expected {}", number,
                       model::printable(path.text(), 200),
                       has == wants ? "another end" : shown(has), shown(wants));
  }
  return "";
}

}  // namespace rackproof::signoff
