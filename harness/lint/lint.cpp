#include "harness/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/document/nearest.hpp"
#include "harness/lint/rules.hpp"
#include "reports/catalogue/quantity.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::lint {
namespace {

std::string not_a_fact(const std::string& name) {
  std::vector<std::string_view> known;
  for (const catalogue::Quantity& fact : catalogue::facts()) known.push_back(fact.name);
  return fmt::format("no inventory has a fact '{}'{}", name, document::hint(name, known));
}

// A fraction of nothing judges nothing. What a family leaves open, some of its heirs state.
void check_base(const Scene& scene, const model::Baseline& baseline, const Where& where) {
  if (baseline.kind != model::BaselineKind::kFraction || scene.table().is_abstract) return;
  if (scene.table().facts.contains(baseline.of)) return;
  if (catalogue::find_fact(baseline.of) != nullptr) return;
  scene.complain(where({"of"}), "this table does not state it, and " + not_a_fact(baseline.of));
}

void check_baselines(const Scene& scene) {
  for (const model::Baseline& baseline : scene.table().baselines) {
    const Where where = [&](const std::vector<std::string>& path) {
      return scene.placed.baseline(baseline, path);
    };
    // What a family says by itself is the complaint of its own file; what its figures mean beside
    // this table's facts is this table's.
    if (baseline.table == scene.table().id) {
      if (!check_selector(scene, selector_of(baseline), where)) continue;
      check_form(scene, baseline, where);
      check_base(scene, baseline, where);
      check_curve(scene, baseline, where);
    }
    check_bounds(scene, baseline, where);
    check_fabric(scene, baseline, where);
  }
}

void check_waivers(const Scene& scene) {
  const auto own = scene.placed.own_waivers();
  for (std::size_t i = 0; i < own && i < scene.table().waivers.size(); ++i) {
    check_selector(
        scene, selector_of(scene.table().waivers[i]),
        [&](const std::vector<std::string>& path) { return scene.placed.waiver(i, path); });
  }
}

void check_demands(const Scene& scene) {
  const auto own = scene.placed.own_demands();
  for (std::size_t i = 0; i < own && i < scene.table().demands.size(); ++i) {
    check_selector(
        scene, selector_of(scene.table().demands[i]),
        [&](const std::vector<std::string>& path) { return scene.placed.demand(i, path); });
  }
}

// A rule on a fact that nobody gives holds on no machine.
void check_rule(const Scene& scene, const model::FactRule& rule, const config::Place& place) {
  if (catalogue::find_fact(rule.fact) != nullptr) return;
  scene.complain(place, not_a_fact(rule.fact));
}

void check_rules(const Scene& scene) {
  const std::vector<model::FactRule>& rules = scene.table().recognise;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    check_rule(scene, rules[i], scene.placed.own({"recognise", std::to_string(i), "fact"}));
  }
  const std::vector<model::FactExpectation>& expected = scene.table().expect;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    check_rule(scene, expected[i].rule, scene.placed.own({"expect", std::to_string(i), "fact"}));
  }
  const auto own = scene.placed.own_demands();
  for (std::size_t i = 0; i < own && i < scene.table().demands.size(); ++i) {
    for (const model::FactRule& rule : scene.table().demands[i].where) {
      check_rule(scene, rule, scene.placed.demand(i, {"where"}));
    }
  }
}

std::string rule_text(const model::FactRule& rule) {
  std::string text = rule.fact;
  if (rule.equals) text += " = " + model::to_text(*rule.equals);
  if (rule.matches) text += " ~ " + *rule.matches;
  if (rule.min) text += fmt::format(" >= {}", *rule.min);
  if (rule.max) text += fmt::format(" <= {}", *rule.max);
  return text;
}

std::vector<std::string> rules_of(const model::PlatformTable& table) {
  std::vector<std::string> rules;
  for (const model::FactRule& rule : table.recognise) rules.push_back(rule_text(rule));
  std::sort(rules.begin(), rules.end());
  return rules;
}

}  // namespace

bool Complaint::operator==(const Complaint& other) const {
  const auto all = [](const Complaint& one) {
    return std::tie(one.place.file, one.place.line, one.place.field, one.text, one.weight);
  };
  return all(*this) == all(other);
}

std::string to_text(const Complaint& complaint) {
  const config::Place& place = complaint.place;
  return model::printable(fmt::format("{}:{}: {}{}{}", place.file, place.line,
                                      complaint.weight == Weight::kWarning ? "warning: " : "",
                                      place.field.empty() ? "" : place.field + ": ",
                                      complaint.text));
}

std::vector<Complaint> lint(const config::PlacedTable& table,
                            const config::MetricCatalogue& catalogue) {
  std::vector<Complaint> complaints;
  const Scene scene{table, catalogue, complaints};
  check_facts(scene);
  check_rules(scene);
  check_baselines(scene);
  check_together(scene);
  check_waivers(scene);
  check_demands(scene);
  return complaints;
}

std::vector<Complaint> lint_together(const std::vector<config::PlacedTable>& tables) {
  std::vector<Complaint> complaints;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const model::PlatformTable& table = tables[i].table;
    if (table.is_abstract || table.generic) continue;
    for (std::size_t j = 0; j < i; ++j) {
      const model::PlatformTable& other = tables[j].table;
      if (other.is_abstract || other.generic || other.id == table.id) continue;
      if (rules_of(other) != rules_of(table)) continue;
      complaints.push_back(
          {tables[i].own({"recognise"}),
           fmt::format("recognises the same machines as '{}', by the same rules; expected a fact "
                       "that tells them apart",
                       other.id),
           Weight::kError});
      break;
    }
  }
  return complaints;
}

}  // namespace rackproof::lint
