#include "harness/budget/faults.hpp"

#include <algorithm>
#include <utility>

#include "harness/document/reader.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::budget {
namespace {

constexpr const char* kFaultsSchema = "rackproof/faults/1";
constexpr std::size_t kChances = 3;

using Chances = std::map<std::string, Chance>;

double above_zero(const document::Field& field) {
  const double value = field.number();
  if (value <= 0) field.fail("expected a number above 0, got " + document::number_text(value));
  return value;
}

Chance read_chance(const document::Field& field) {
  const std::vector<document::Field> items = field.items();
  if (items.size() != kChances) {
    field.fail("expected three chances: at worst, usually, at best");
  }
  const Chance chance{items[0].number(), items[1].number(), items[2].number()};
  const bool in_order = 0 <= chance.low && chance.low <= chance.usual &&
                        chance.usual <= chance.high && chance.high <= 1;
  if (!in_order) field.fail("expected three chances from 0 to 1, none below the one before it");
  return chance;
}

std::string read_part(const document::Field& field) {
  std::string part = field.text();
  if (std::find(kFaultParts.begin(), kFaultParts.end(), part) == kFaultParts.end()) {
    field.fail("expected gpu, host or nic, got '" + part + "'");
  }
  return part;
}

Fault read_fault(const document::Field& field, const Chances& chances, const FaultTable& table) {
  const document::Object object(field, {"id", "title", "part", "count", "found_by"});
  Fault fault;
  fault.id = object.require("id").name();
  fault.title = object.require("title").text();
  const document::Field part = object.require("part");
  fault.part = read_part(part);
  if (!table.parts.contains(fault.part)) {
    part.fail("'" + fault.part + "' is none of 'parts', so nobody knows of how many");
  }
  fault.count = above_zero(object.require("count"));
  for (const auto& [word, programs] : object.require("found_by").members()) {
    const auto chance = chances.find(word);
    if (chance == chances.end()) programs.fail("'" + word + "' is none of 'chances'");
    for (const document::Field& program : programs.items()) {
      fault.found_by.push_back({program.pattern(), chance->second});
    }
  }
  return fault;
}

}  // namespace

FaultTable load_faults(const std::string& path) {
  const document::Document document = document::load_document(path, document::kMaxTableBytes);
  const document::Object object(
      document::Field(document.file, document.root, ""),
      {"schema", "title", "source", "days", "parts", "chances", "again", "faults"});
  document::check_schema(object.require("schema"), kFaultsSchema);
  FaultTable table;
  table.digest = support::sha256_hex(document.text);
  table.title = object.require("title").text();
  table.source = object.require("source").text();
  table.days = above_zero(object.require("days"));
  for (const auto& [part, count] : object.require("parts").members()) {
    if (std::find(kFaultParts.begin(), kFaultParts.end(), part) == kFaultParts.end()) {
      count.fail("expected gpu, host or nic, got '" + part + "'");
    }
    table.parts[part] = above_zero(count);
  }
  table.again = read_chance(object.require("again"));
  Chances chances;
  for (const auto& [word, chance] : object.require("chances").members()) {
    chances[word] = read_chance(chance);
  }
  const document::Field faults = object.require("faults");
  for (const document::Field& item : faults.items()) {
    Fault fault = read_fault(item, chances, table);
    const auto same = [&](const Fault& other) { return other.id == fault.id; };
    if (std::any_of(table.faults.begin(), table.faults.end(), same)) {
      item.fail("the id '" + fault.id + "' is used a second time; expected unique ids");
    }
    table.faults.push_back(std::move(fault));
  }
  if (table.faults.empty()) faults.fail("is empty; expected at least one fault");
  return table;
}

}  // namespace rackproof::budget
