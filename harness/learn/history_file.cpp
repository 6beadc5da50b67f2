#include "harness/learn/history_file.hpp"

#include <fmt/format.h>

#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::learn {
namespace {

constexpr std::string_view kFirstLine = R"({"schema":"rackproof/history/1"})";

}  // namespace

std::vector<model::History> load_history(const std::string& path) {
  const std::string text = support::read_file(path);
  std::vector<model::History> history;
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      throw support::UsageError(
          fmt::format("{}:{}: the last line has no end: the file was cut off", path, number));
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (number == 1) {
      if (line != kFirstLine) {
        throw support::UsageError(
            fmt::format("{}:1: is no history: expected {}", path, kFirstLine));
      }
      continue;
    }
    try {
      history.push_back(model::history_from_json(line));
    } catch (const model::BadReport& error) {
      throw support::UsageError(fmt::format("{}:{}: {}", path, number, error.what()));
    }
  }
  if (text.empty())
    throw support::UsageError(fmt::format("{}:1: is empty: expected {}", path, kFirstLine));
  return history;
}

std::string history_text(const std::vector<model::History>& history) {
  std::string text(kFirstLine);
  text += '\n';
  for (const model::History& one : history) text += model::to_json_line(one) + '\n';
  return text;
}

}  // namespace rackproof::learn
