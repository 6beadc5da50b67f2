#include "harness/wire/journal.hpp"

#include "reports/model/strict_json.hpp"

namespace rackproof::wire {

std::optional<Entry> parse_entry(std::string_view line) {
  try {
    nlohmann::json body = model::parse_strict(line);
    if (!body.is_object()) return std::nullopt;
    const auto kind = body.find("j");
    if (kind == body.end() || !kind->is_string()) return std::nullopt;
    std::string j = kind->get<std::string>();
    return Entry{std::move(j), std::move(body), 0};
  } catch (const model::BadJson&) {
    return std::nullopt;
  }
}

std::vector<Damage> for_each_entry(std::string_view bytes,
                                   const std::function<void(const Entry&)>& take) {
  std::vector<Damage> damages;
  int number = 0;
  while (!bytes.empty()) {
    ++number;
    const std::size_t newline = bytes.find('\n');
    const bool whole = newline != std::string_view::npos;
    const std::string_view line = bytes.substr(0, newline);
    bytes.remove_prefix(whole ? newline + 1 : bytes.size());
    if (auto entry = whole ? parse_entry(line) : std::nullopt) {
      entry->line = number;
      take(*entry);
    } else {
      damages.push_back({number, !whole,
                         whole ? "is not a journal line" : "is cut short: the writer was stopped"});
    }
  }
  return damages;
}

}  // namespace rackproof::wire
