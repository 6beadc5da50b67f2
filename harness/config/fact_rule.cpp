#include "harness/config/fact_rule.hpp"

namespace rackproof::config {

void read_fact_condition(const document::Object& object, std::vector<model::FactRule>& rules) {
  const std::string fact = object.require("fact").name();
  const auto equals = object.find("equals");
  const auto matches = object.find("matches");
  const auto low = object.find("min");
  const auto high = object.find("max");
  const int forms = (equals ? 1 : 0) + (matches ? 1 : 0) + (low || high ? 1 : 0);
  if (forms != 1) object.field().fail("expected one of 'equals', 'matches', or 'min' and 'max'");
  model::FactRule rule;
  rule.fact = fact;
  if (equals) rule.equals = equals->scalar();
  if (matches) rule.matches = matches->text();
  if (low) rule.min = low->number();
  if (!high) {
    rules.push_back(rule);
    return;
  }
  // A rule holds one condition: two bounds are two rules.
  if (low) rules.push_back(rule);
  rule.min.reset();
  rule.max = high->number();
  if (low && low->number() > *rule.max) high->fail("is below 'min'");
  rules.push_back(rule);
}

void read_fact_rule(const document::Field& field, std::vector<model::FactRule>& rules) {
  read_fact_condition(document::Object(field, {"fact", "equals", "matches", "min", "max"}), rules);
}

}  // namespace rackproof::config
