#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/verbs.hpp"
#include "harness/document/nearest.hpp"
#include "reports/catalogue/catalogue.hpp"
#include "reports/catalogue/quantity.hpp"

namespace rackproof::cli {

std::vector<std::string> catalogue_ids() {
  std::vector<std::string> ids;
  for (const auto& entry : catalogue::catalogue()) ids.emplace_back(entry.id);
  return ids;
}

namespace {

/// A fact or a column, and which of them it is.
struct Named {
  const catalogue::Quantity* what;
  const char* kind;
};

std::vector<Named> quantities_of(const std::string& name) {
  std::vector<Named> found;
  if (const auto* fact = catalogue::find_fact(name)) found.push_back({fact, "fact"});
  if (const auto* column = catalogue::find_column(name)) found.push_back({column, "column"});
  return found;
}

std::string to_json(const std::vector<catalogue::CatalogueEntry>& entries,
                    const std::vector<Named>& quantities) {
  nlohmann::json document = {{"format", "rackproof-explain"}, {"version", "1.0"}};
  document["entries"] = nlohmann::json::array();
  for (const auto& entry : entries) {
    document["entries"].push_back({{"id", entry.id},
                                   {"kind", entry.kind},
                                   {"title", entry.title},
                                   {"meaning", entry.meaning},
                                   {"next", entry.next}});
  }
  for (const auto& [what, kind] : quantities) {
    document["entries"].push_back(
        {{"id", what->name}, {"kind", kind}, {"title", what->meaning}, {"unit", what->unit}});
  }
  return document.dump(1) + "\n";
}

[[noreturn]] void refuse(const std::string& id) {
  std::vector<std::string_view> known;
  for (const auto& each : catalogue::catalogue()) known.push_back(each.id);
  for (const auto& each : catalogue::facts()) known.push_back(each.name);
  for (const auto& each : catalogue::columns()) known.push_back(each.name);
  throw UsageError(fmt::format(
      "there is nothing called '{}'{}; 'rackproof list ids', 'list facts' and 'list columns' have "
      "what there is",
      id, document::hint(id, known)));
}

}  // namespace

int explain_verb(const ExplainOptions& options, const Program& /*program*/) {
  const std::string& id = options.id;
  if (id.empty() && options.json) {
    print(to_json(catalogue::catalogue(), {}));
    return 0;
  }
  if (id.empty()) {
    for (const auto& entry : catalogue::catalogue()) {
      print(fmt::format("{:<26} {:<8} {}\n", entry.id, entry.kind, entry.title));
    }
    return 0;
  }
  const std::vector<catalogue::CatalogueEntry> entries = catalogue::find_entries(id);
  const std::vector<Named> quantities = quantities_of(id);
  if (entries.empty() && quantities.empty()) refuse(id);
  if (options.json) {
    print(to_json(entries, quantities));
    return 0;
  }
  for (const auto& entry : entries) {
    print(fmt::format("{} ({})\n{}\n\nWhat it means: {}\n\nWhat to do: {}\n\n", entry.id,
                      entry.kind, entry.title, entry.meaning, entry.next));
  }
  for (const auto& [what, kind] : quantities) {
    print(fmt::format("{} ({})\n{}\n", what->name, kind, what->meaning));
    if (!what->unit.empty() && what->unit != "1") print(fmt::format("Unit: {}\n", what->unit));
  }
  return 0;
}

}  // namespace rackproof::cli
