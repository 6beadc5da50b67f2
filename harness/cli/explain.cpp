#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/verbs.hpp"
#include "harness/document/nearest.hpp"
#include "reports/catalogue/catalogue.hpp"

namespace rackproof::cli {

std::vector<std::string> catalogue_ids() {
  std::vector<std::string> ids;
  for (const auto& entry : catalogue::catalogue()) ids.emplace_back(entry.id);
  return ids;
}

namespace {

std::string to_json(const std::vector<catalogue::CatalogueEntry>& entries) {
  nlohmann::json document = {{"format", "rackproof-explain"}, {"version", "1.0"}};
  document["entries"] = nlohmann::json::array();
  for (const auto& entry : entries) {
    document["entries"].push_back({{"id", entry.id},
                                   {"kind", entry.kind},
                                   {"title", entry.title},
                                   {"meaning", entry.meaning},
                                   {"next", entry.next}});
  }
  return document.dump(1) + "\n";
}

}  // namespace

int explain_verb(const ExplainOptions& options, const Program& /*program*/) {
  const std::string& id = options.id;
  if (id.empty() && options.json) {
    print(to_json(catalogue::catalogue()));
    return 0;
  }
  if (id.empty()) {
    for (const auto& entry : catalogue::catalogue()) {
      print(fmt::format("{:<26} {:<8} {}\n", entry.id, entry.kind, entry.title));
    }
    return 0;
  }
  const std::vector<catalogue::CatalogueEntry> entries = catalogue::find_entries(id);
  if (entries.empty()) {
    std::vector<std::string_view> known;
    for (const auto& each : catalogue::catalogue()) known.push_back(each.id);
    throw UsageError(fmt::format("there is nothing called '{}'{}; 'rackproof explain' lists all",
                                 id, document::suggestion(id, known)));
  }
  if (options.json) {
    print(to_json(entries));
    return 0;
  }
  for (const auto& entry : entries) {
    print(fmt::format("{} ({})\n{}\n\nWhat it means: {}\n\nWhat to do: {}\n\n", entry.id,
                      entry.kind, entry.title, entry.meaning, entry.next));
  }
  return 0;
}

}  // namespace rackproof::cli
