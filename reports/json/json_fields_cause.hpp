#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/cause.hpp"

/// What causes are in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, Cause>
void describe(V& v, T& cause) {
  v.field("rule", cause.rule);
  v.maybe("subject", cause.subject);
  v.field("text", cause.text);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, CauseCondition>
void describe(V& v, T& condition) {
  v.maybe("series", condition.series);
  v.maybe("statistic", condition.statistic);
  v.maybe("bit", condition.bit);
  v.maybe("fact", condition.fact);
  v.maybe("finding", condition.finding);
  v.maybe("about", condition.about);
  v.maybe("event", condition.event);
  v.maybe("above", condition.above);
  v.maybe("below", condition.below);
  v.maybe("of", condition.of);
  v.maybe("is", condition.is);
  v.maybe("is_not", condition.is_not);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, CauseRule>
void describe(V& v, T& rule) {
  v.field("id", rule.id);
  v.field("of", rule.of);
  v.maybe("metrics", rule.metrics);
  v.maybe("backends", rule.backends);
  v.maybe("outcomes", rule.outcomes);
  v.field("when", rule.when);
  v.maybe("unless", rule.unless);
  v.field("say", rule.say);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, CauseTable>
void describe(V& v, T& table) {
  v.field("digest", table.digest);
  v.field("rules", table.rules);
}

}  // namespace rackproof::model
