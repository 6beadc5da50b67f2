#include "harness/wire/journal.hpp"

#include "harness/warden/seal.hpp"
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
  warden::Seal seal;
  int number = 0;
  while (!bytes.empty()) {
    ++number;
    const std::size_t newline = bytes.find('\n');
    const bool whole = newline != std::string_view::npos;
    const std::string_view line = bytes.substr(0, newline);
    bytes.remove_prefix(whole ? newline + 1 : bytes.size());
    if (!whole) {
      damages.push_back({number, true, "is cut short: the writer was stopped"});
      break;
    }
    const std::optional<std::string> opened = seal.opened(line);
    auto entry = opened ? parse_entry(*opened) : std::nullopt;
    if (entry) {
      entry->line = number;
      take(*entry);
    } else {
      damages.push_back({number, false,
                         opened ? "is not a journal line"
                                : "is not what was written there after the line before it"});
    }
  }
  return damages;
}

}  // namespace rackproof::wire
