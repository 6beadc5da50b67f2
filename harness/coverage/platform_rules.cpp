#include "harness/coverage/platform_rules.hpp"

#include <fmt/format.h>

#include <vector>

namespace rackproof::coverage {
namespace {

std::string rule_text(const model::FactRule& rule) {
  if (rule.equals) return fmt::format("`{}` = {}", rule.fact, model::to_text(*rule.equals));
  if (rule.matches) return fmt::format("`{}` like `{}`", rule.fact, *rule.matches);
  if (rule.min) return fmt::format("`{}` >= {}", rule.fact, *rule.min);
  return fmt::format("`{}` <= {}", rule.fact, rule.max.value_or(0));
}

}  // namespace

std::string rules_text(const model::PlatformTable& table) {
  std::vector<std::string> texts;
  for (const model::FactRule& rule : table.recognise) texts.push_back(rule_text(rule));
  std::string out;
  if (!texts.empty() && !table.is_abstract) {
    out += fmt::format("\nRecognised by {}.\n", fmt::join(texts, ", "));
  }
  texts.clear();
  for (const auto& expectation : table.expect) texts.push_back(rule_text(expectation.rule));
  if (!texts.empty()) out += fmt::format("\nExpected of its nodes: {}.\n", fmt::join(texts, ", "));
  return out;
}

std::string demands_text(const model::PlatformTable& table) {
  std::string out;
  for (const model::Demand& one : table.demands) {
    if (one.table != table.id) continue;
    std::string shown = model::to_text(one.conditions);
    if (!one.refused.empty()) {
      shown += (shown.empty() ? "not " : ", not ") + model::to_text(one.refused);
    }
    if (one.ports_min) {
      shown += fmt::format("{}data over {} RDMA ports of each host", shown.empty() ? "" : ", ",
                           *one.ports_min);
    }
    std::string hosts;
    if (one.nodes_min && *one.nodes_min > 1)
      hosts = fmt::format(" over {} hosts and more", *one.nodes_min);
    if (one.nodes_max && *one.nodes_max == 1) hosts = " within a host";
    std::string where;
    for (const model::FactRule& rule : one.where) where += " where " + rule_text(rule);
    out += fmt::format("\nDemanded of `{}`{}{}: {}.\n", one.metric, hosts, where, shown);
  }
  return out;
}

}  // namespace rackproof::coverage
