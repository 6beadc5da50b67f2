#include "harness/config/places.hpp"

#include <algorithm>

#include "harness/config/baseline.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::config {
namespace {

std::optional<document::Field> member_of(const document::Field& field, const std::string& name) {
  if (field.is_object()) {
    for (const auto& [key, value] : field.members()) {
      if (key == name) return value;
    }
  } else if (field.is_list()) {
    const auto items = field.items();
    const std::string number = name.substr(0, name.find_first_not_of("0123456789"));
    if (!number.empty() && std::stoul(number) < items.size()) return items[std::stoul(number)];
  }
  return std::nullopt;
}

document::Field root_of(const document::Document& document) {
  return {document.file, document.root, ""};
}

// The way down, as far as it is there.
document::Field descend(document::Field field, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    auto next = member_of(field, name);
    if (!next) break;
    field = *next;
  }
  return field;
}

Place place_of(const document::Document& document, const document::Field& field) {
  return {document.file, field.line(), field.path()};
}

// The entries of a list of the document; none when it has no such list.
std::vector<document::Field> entries(const document::Document& document, const std::string& list) {
  const auto field = member_of(root_of(document), list);
  return field ? field->items() : std::vector<document::Field>{};
}

}  // namespace

Place PlacedTable::own(const std::vector<std::string>& path) const {
  return place_of(*files.front(), descend(root_of(*files.front()), path));
}

Place PlacedTable::baseline(const model::Baseline& baseline,
                            const std::vector<std::string>& path) const {
  for (std::size_t i = 0; i < files.size() && i < table.chain.size(); ++i) {
    if (table.chain[i] != baseline.table) continue;
    for (const document::Field& entry : entries(*files[i], "baselines")) {
      if (!same_cells(read_baseline(entry), baseline)) continue;
      return place_of(*files[i], descend(entry, path));
    }
  }
  return own({});
}

std::vector<std::string> PlacedTable::own_facts() const {
  std::vector<std::string> names;
  const auto facts = member_of(root_of(*files.front()), "facts");
  if (!facts) return names;
  for (const auto& [name, fact] : facts->members()) names.push_back(name);
  return names;
}

std::map<std::string, std::string> PlacedTable::own_fact_units() const {
  std::map<std::string, std::string> units;
  const auto facts = member_of(root_of(*files.front()), "facts");
  if (!facts) return units;
  for (const auto& [name, fact] : facts->members()) {
    if (const auto unit = member_of(fact, "unit")) units[name] = unit->text();
  }
  return units;
}

std::size_t PlacedTable::own_waivers() const { return entries(*files.front(), "waive").size(); }

Place PlacedTable::waiver(std::size_t number, const std::vector<std::string>& path) const {
  for (const auto& file : files) {
    const auto waivers = entries(*file, "waive");
    if (number < waivers.size()) return place_of(*file, descend(waivers[number], path));
    number -= waivers.size();
  }
  return own({});
}

std::size_t PlacedTable::own_demands() const { return entries(*files.front(), "demand").size(); }

Place PlacedTable::demand(std::size_t number, const std::vector<std::string>& path) const {
  const auto demands = entries(*files.front(), "demand");
  return number < demands.size() ? place_of(*files.front(), descend(demands[number], path))
                                 : own({});
}

Place PlacedTable::fact(const std::string& name, const std::vector<std::string>& path) const {
  for (const auto& file : files) {
    const auto facts = member_of(root_of(*file), "facts");
    const auto one = facts ? member_of(*facts, name) : std::nullopt;
    if (one) return place_of(*file, descend(*one, path));
  }
  return own({});
}

}  // namespace rackproof::config
