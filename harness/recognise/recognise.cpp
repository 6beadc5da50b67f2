#include "harness/recognise/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "harness/recognise/match.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::recognise {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

constexpr const char* kSelected = model::fact_name::kPlatformSelected;

bool is_recognised(const model::PlatformTable& table, const model::NodeInventory& node) {
  if (table.is_abstract) return false;
  if (table.recognise.empty()) return table.generic;
  return std::all_of(table.recognise.begin(), table.recognise.end(),
                     [&node](const model::FactRule& rule) { return holds(rule, node); });
}

/// Larger is more specific.
auto specificity(const model::PlatformTable& table) {
  return std::tuple(!table.generic, table.chain.size(), table.recognise.size());
}

std::string rule_text(const model::FactRule& rule) {
  if (rule.equals) return model::to_text(*rule.equals);
  if (rule.matches) return *rule.matches;
  if (rule.min && rule.max && *rule.min != *rule.max) {
    return fmt::format("{} to {}", *rule.min, *rule.max);
  }
  if (rule.min && rule.max) return fmt::format("{}", *rule.min);
  if (rule.min) return fmt::format("at least {}", *rule.min);
  return fmt::format("at most {}", rule.max.value_or(0));
}

std::string value_text(const Facts& facts, const std::string& name) {
  const auto fact = facts.find(name);
  if (fact == facts.end()) return "not known";
  if (fact->second.value) return model::to_text(*fact->second.value);
  return fmt::format("not known ({})", fact->second.unreadable);
}

}  // namespace

bool holds(const model::FactRule& rule, const Facts& facts) {
  const auto fact = facts.find(rule.fact);
  if (fact == facts.end() || !fact->second.value) return false;
  const std::optional<contract::Scalar>& value = fact->second.value;
  if (rule.equals) return same(*rule.equals, *value);
  if (rule.matches) return model::glob_match(lower(*rule.matches), lower(model::to_text(*value)));
  const std::optional<double> have = number(*value);
  if (!have || (!rule.min && !rule.max)) return false;
  return (!rule.min || *have >= *rule.min) && (!rule.max || *have <= *rule.max);
}

bool holds(const model::FactRule& rule, const model::NodeInventory& node) {
  return holds(rule, node.facts);
}

Contradiction contradiction(const model::FactRule& rule, const Facts& facts,
                            const std::string& host) {
  return {host, rule.fact, rule_text(rule), value_text(facts, rule.fact)};
}

Contradiction contradiction(const model::FactRule& rule, const model::NodeInventory& node) {
  return contradiction(rule, node.facts, node.host);
}

Recognition recognise(const model::NodeInventory& node,
                      const std::vector<model::PlatformTable>& tables) {
  Recognition best;
  for (const model::PlatformTable& table : tables) {
    if (!is_recognised(table, node)) continue;
    if (best.table == nullptr || specificity(table) > specificity(*best.table)) {
      best = {&table, ""};
    } else if (specificity(table) == specificity(*best.table)) {
      best.ambiguous += (best.ambiguous.empty() ? best.table->id : "") + ", " + table.id;
    }
  }
  if (!best.ambiguous.empty()) best.table = nullptr;
  return best;
}

bool is_for_selection(const model::PlatformTable& table) {
  return std::any_of(table.recognise.begin(), table.recognise.end(),
                     [](const model::FactRule& rule) { return rule.fact == kSelected; });
}

std::vector<Contradiction> contradictions(const model::PlatformTable& table,
                                          const std::vector<model::NodeInventory>& nodes) {
  std::vector<Contradiction> found;
  for (const model::NodeInventory& node : nodes) {
    if (node.facts.empty()) continue;
    for (const model::FactRule& rule : table.recognise) {
      if (rule.fact == kSelected) continue;  // to name the table is all that it asks
      if (!holds(rule, node)) found.push_back(contradiction(rule, node));
    }
  }
  return found;
}

std::string refusal(const model::PlatformTable& table,
                    const std::vector<model::NodeInventory>& nodes) {
  const std::vector<Contradiction> found = contradictions(table, nodes);
  if (found.empty()) return "";
  const Contradiction& first = found.front();
  std::string text = fmt::format("table {} is not for {}: {} is {}; the table requires {}",
                                 table.id, first.host, first.fact, first.have, first.want);
  if (found.size() > 1) {
    text += fmt::format("; {} more of its rules and hosts do not fit", found.size() - 1);
  }
  return text;
}

}  // namespace rackproof::recognise
