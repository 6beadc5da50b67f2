#include <algorithm>
#include <cctype>
#include <tuple>

#include "harness/judge/judge.hpp"
#include "harness/judge/match.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::judge {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool holds(const model::FactRule& rule, const model::NodeInventory& node) {
  const std::optional<model::Scalar> value = model::value_of(node, rule.fact);
  if (!value) return false;
  if (rule.equals) return same(*rule.equals, *value);
  if (rule.matches) return model::glob_match(lower(*rule.matches), lower(model::to_text(*value)));
  const std::optional<double> have = number(*value);
  if (!have || (!rule.min && !rule.max)) return false;
  return (!rule.min || *have >= *rule.min) && (!rule.max || *have <= *rule.max);
}

bool is_recognised(const model::PlatformTable& table, const model::NodeInventory& node) {
  if (table.recognise.empty()) return table.generic;
  return std::all_of(table.recognise.begin(), table.recognise.end(),
                     [&node](const model::FactRule& rule) { return holds(rule, node); });
}

/// Larger is more specific.
auto specificity(const model::PlatformTable& table) {
  return std::tuple(!table.generic, table.chain.size(), table.recognise.size());
}

}  // namespace

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

}  // namespace rackproof::judge
