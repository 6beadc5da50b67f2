#pragma once

#include "reports/json/json_fields_suite.hpp"
#include "reports/model/demand.hpp"

/// What a table demands of measurements, in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, Is<FactRule> T>
void describe(V& v, T& rule) {
  v.field("fact", rule.fact);
  v.maybe("equals", rule.equals);
  v.maybe("matches", rule.matches);
  v.maybe("min", rule.min);
  v.maybe("max", rule.max);
}

template <class V, Is<Demand> T>
void describe(V& v, T& demand) {
  v.field("metric", demand.metric);
  v.maybe("parameters", demand.parameters);
  v.maybe("backend", demand.backend);
  v.maybe("nodes_min", demand.nodes_min);
  v.maybe("nodes_max", demand.nodes_max);
  v.maybe("where", demand.where);
  v.maybe("conditions", demand.conditions);
  v.maybe("refused", demand.refused);
  v.maybe("ports_min", demand.ports_min);
  v.field("reason", demand.reason);
  v.field("table", demand.table);
}

}  // namespace rackproof::model
