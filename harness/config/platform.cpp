#include "harness/config/platform.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "contract/unit.hpp"
#include "harness/config/baseline.hpp"
#include "harness/config/demand.hpp"
#include "harness/config/extent.hpp"
#include "harness/config/fact_rule.hpp"
#include "harness/config/places.hpp"
#include "harness/config/severity.hpp"
#include "harness/support/digest.hpp"
#include "reports/catalogue/fact_units.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::config {
namespace {

constexpr const char* kPlatformSchema = "rackproof/platform/1";

// A figure with the dimension it is in, to find a slip of units between two of one metric.
struct Figure {
  std::string metric;
  contract::Parameters parameters;
  std::string unit;
  std::string place;  // "FILE:LINE"
};

// One file of the chain, already read, and what is needed to complain about it.
struct Chain {
  model::PlatformTable table;
  std::vector<Figure> figures;
  std::map<std::string, std::string> fact_units;
  std::string bytes;
  std::vector<std::shared_ptr<const document::Document>> files;
};

bool overlap(const std::string& a, const std::string& b) {
  return model::glob_match(a, b) || model::glob_match(b, a);
}

// Operations on integers and on other types are rates of one metric, told apart by a parameter.
bool told_apart(const Figure& a, const model::Baseline& b, const std::string& unit) {
  const auto is_rate = [](const std::string& one) { return one == "FLOP/s" || one == "OP/s"; };
  if (!is_rate(a.unit) || !is_rate(unit)) return false;
  return std::any_of(a.parameters.begin(), a.parameters.end(), [&b](const auto& entry) {
    const auto other = b.parameters.find(entry.first);
    return other != b.parameters.end() &&
           !overlap(model::to_text(entry.second), model::to_text(other->second));
  });
}

// What this table expects of a fact replaces what its family expects of it.
void fold_expect(const document::Field& field, model::PlatformTable& table) {
  std::vector<model::FactExpectation> own;
  for (const document::Field& item : field.items()) {
    const document::Object object(
        item, {"fact", "equals", "matches", "min", "max", "severity", "remedy"});
    std::vector<model::FactRule> rules;
    read_fact_condition(object, rules);
    model::FactExpectation expectation;
    expectation.severity = read_severity(object.require("severity"));
    if (const auto remedy = object.find("remedy")) expectation.remedy = remedy->text();
    for (model::FactRule& rule : rules) {
      expectation.rule = std::move(rule);
      own.push_back(expectation);
    }
  }
  std::erase_if(table.expect, [&own](const model::FactExpectation& inherited) {
    return std::any_of(own.begin(), own.end(), [&](const model::FactExpectation& one) {
      return one.rule.fact == inherited.rule.fact;
    });
  });
  table.expect.insert(table.expect.begin(), own.begin(), own.end());
}

// The rules of this table; those of the family on other facts hold as well.
void fold_rules(const document::Object& object, model::PlatformTable& table) {
  const auto field = object.find("recognise");
  if (!field) return;
  std::vector<model::FactRule> rules;
  for (const document::Field& item : field->items()) read_fact_rule(item, rules);
  const auto own = rules;
  for (const model::FactRule& inherited : table.recognise) {
    const auto same = [&](const model::FactRule& rule) { return rule.fact == inherited.fact; };
    if (std::none_of(own.begin(), own.end(), same)) rules.push_back(inherited);
  }
  table.recognise = std::move(rules);
}

void fold_fact(const std::string& name, const document::Field& field, Chain& chain) {
  if (!document::is_name(name)) {
    field.fail("expected a fact name of 1 to 64 letters, digits, '.', '_' or '-'");
  }
  const document::Object object(field, {"value", "unit", "source"});
  const document::Field value = object.require("value");
  chain.table.fact_sources[name] = read_source(object.require("source"));
  if (!value.is_number()) {
    if (const auto unit = object.find("unit")) unit->fail("has no meaning for a value without one");
    chain.table.facts[name] = value.scalar();
    return;
  }
  const auto unit = contract::find_unit(object.require("unit").unit());
  chain.table.facts[name] = value.number() * unit->factor;
  const std::string base(unit->base);
  const auto [known, added] = chain.fact_units.emplace(name, base);
  if (!added && known->second != base) {
    object.require("unit").fail("is of another dimension than the inherited figure (" + base +
                                " against " + known->second + ")");
  }
}

void check_dimension(const document::Document& document, const document::Field& field,
                     const model::Baseline& baseline, Chain& chain) {
  std::string unit = baseline.unit;
  if (baseline.kind == model::BaselineKind::kCorrectness ||
      baseline.kind == model::BaselineKind::kBound) {
    return;
  }
  if (baseline.kind == model::BaselineKind::kFraction) {
    const auto known = chain.fact_units.find(baseline.of);
    unit = known != chain.fact_units.end() ? known->second
                                           : std::string(catalogue::unit_of_fact(baseline.of));
    if (unit.empty()) return;
  }
  for (const Figure& other : chain.figures) {
    if (other.unit != unit && overlap(other.metric, baseline.metric) &&
        !told_apart(other, baseline, unit)) {
      field.fail("'" + baseline.metric + "' is in " + unit + " here and in " + other.unit + " at " +
                 other.place + "; expected one dimension for one metric");
    }
  }
  chain.figures.push_back({baseline.metric, baseline.parameters, unit,
                           document.file + ":" + std::to_string(field.line())});
}

void fold_baselines(const document::Document& document, const document::Field& field,
                    Chain& chain) {
  std::vector<model::Baseline> own;
  for (const document::Field& item : field.items()) {
    model::Baseline baseline = read_baseline(item);
    baseline.table = chain.table.id;
    // What the parts themselves allow says something of this machine, whoever asks for it.
    baseline.generic = chain.table.generic && baseline.kind != model::BaselineKind::kBound;
    for (const model::Baseline& other : own) {
      if (other.id == baseline.id && !same_cells(other, baseline)) {
        item.fail("the baseline id '" + baseline.id + "' is used a second time");
      }
      if (same_cells(other, baseline)) {
        item.fail("a second baseline for '" + baseline.metric +
                  "' with the same parameters, backend and nodes");
      }
    }
    check_dimension(document, item, baseline, chain);
    own.push_back(std::move(baseline));
  }
  const std::size_t own_count = own.size();
  for (model::Baseline& inherited : chain.table.baselines) {
    const auto end = own.begin() + static_cast<std::ptrdiff_t>(own_count);
    const bool replaced =
        std::any_of(own.begin(), end, [&](const auto& one) { return same_cells(one, inherited); });
    if (replaced) continue;
    const auto same_id = [&](const auto& one) { return one.id == inherited.id; };
    if (std::any_of(own.begin(), end, same_id)) inherited.id = inherited.table + ":" + inherited.id;
    own.push_back(std::move(inherited));
  }
  chain.table.baselines = std::move(own);
}

// Entries that say of cells why something about them is right.
void fold_reasons(const document::Field& field, const std::string& what,
                  std::vector<model::Waiver>& inherited) {
  std::vector<model::Waiver> own;
  for (const document::Field& item : field.items()) {
    const document::Object object(item, {"metric", "parameters", "reason"});
    model::Waiver waiver;
    waiver.metric = object.require("metric").pattern();
    if (const auto parameters = object.find("parameters")) {
      waiver.parameters = read_match_parameters(*parameters);
    }
    waiver.reason = object.require("reason").text();
    for (const model::Waiver& other : own) {
      if (other.metric == waiver.metric && other.parameters == waiver.parameters) {
        item.fail("a second " + what + " for '" + waiver.metric + "' with the same parameters");
      }
    }
    own.push_back(std::move(waiver));
  }
  own.insert(own.end(), inherited.begin(), inherited.end());
  inherited = std::move(own);
}

std::string find_family(const std::string& name, const std::string& path,
                        const std::string& search_directory, const document::Field& field) {
  namespace fs = std::filesystem;
  const fs::path beside = fs::path(path).parent_path() / (name + ".json");
  const fs::path searched = fs::path(search_directory) / (name + ".json");
  std::error_code ignored;
  if (fs::exists(beside, ignored)) return beside.string();
  if (!search_directory.empty() && fs::exists(searched, ignored)) return searched.string();
  field.fail("there is no platform table '" + name + "': neither " + beside.string() +
             (search_directory.empty() ? std::string(" nor a search directory")
                                       : " nor " + searched.string()) +
             " exists");
}

void fold_parts(const document::Document& document, const document::Object& object, Chain& chain) {
  fold_rules(object, chain.table);
  if (chain.table.recognise.empty() && !chain.table.generic && !chain.table.is_abstract) {
    object.field().fail(
        "the field 'recognise' is missing or empty; only a generic table is for every machine, and "
        "only an abstract one for none");
  }
  if (const auto expect = object.find("expect")) fold_expect(*expect, chain.table);
  if (const auto facts = object.find("facts")) {
    for (const auto& [name, value] : facts->members()) fold_fact(name, value, chain);
  }
  if (const auto baselines = object.find("baselines")) {
    fold_baselines(document, *baselines, chain);
  }
  if (const auto waive = object.find("waive")) fold_reasons(*waive, "waiver", chain.table.waivers);
  if (const auto groups = object.find("groups")) {
    fold_reasons(*groups, "reason for groups", chain.table.groups);
  }
  if (const auto demand = object.find("demand")) fold_demands(*demand, chain.table);
}

// Folds the file over what it extends. `open` holds the files on the way here, to notice a circle.
Chain read_chain(const std::string& path, const std::string& search_directory,
                 std::vector<std::string>& open) {
  const auto read = std::make_shared<const document::Document>(
      document::load_document(path, document::kMaxTableBytes));
  const document::Document& document = *read;
  const document::Object object(
      document::Field(document.file, document.root, ""),
      {"schema", "id", "title", "extends", "generic", "abstract", "recognise", "extent", "expect",
       "facts", "baselines", "waive", "groups", "demand"});
  document::check_schema(object.require("schema"), kPlatformSchema);
  const document::Field id = object.require("id");
  Chain chain;
  open.push_back(std::filesystem::weakly_canonical(path).string());
  if (const auto extends = object.find("extends")) {
    const std::string family = find_family(extends->name(), path, search_directory, *extends);
    const std::string canonical = std::filesystem::weakly_canonical(family).string();
    if (std::find(open.begin(), open.end(), canonical) != open.end()) {
      extends->fail("the table extends itself, through '" + extends->name() + "'");
    }
    chain = read_chain(family, search_directory, open);
    if (chain.table.id != extends->name()) {
      extends->fail("'" + family + "' has the id '" + chain.table.id + "'; expected '" +
                    extends->name() + "'");
    }
  }
  model::PlatformTable& table = chain.table;
  table.id = id.name();
  table.title = object.require("title").text();
  if (std::find(table.chain.begin(), table.chain.end(), table.id) != table.chain.end()) {
    id.fail("the id '" + table.id + "' is also that of a table it extends");
  }
  table.chain.insert(table.chain.begin(), table.id);
  const auto generic = object.find("generic");
  table.generic = generic && generic->boolean();
  const auto is_abstract = object.find("abstract");
  table.is_abstract = is_abstract && is_abstract->boolean();
  if (table.generic && table.is_abstract) {
    is_abstract->fail("a table cannot be both generic and abstract");
  }
  if (const auto extent = object.find("extent")) table.extent = read_extent(*extent);
  fold_parts(document, object, chain);
  chain.bytes.insert(0, document.text);
  chain.files.insert(chain.files.begin(), read);
  return chain;
}

}  // namespace

PlacedTable load_placed_platform(const std::string& path, const std::string& search_directory) {
  std::vector<std::string> open;
  Chain chain = read_chain(path, search_directory, open);
  chain.table.digest = support::sha256_hex(chain.bytes);
  return {std::move(chain.table), std::move(chain.files)};
}

model::PlatformTable load_platform(const std::string& path, const std::string& search_directory) {
  return load_placed_platform(path, search_directory).table;
}

}  // namespace rackproof::config
