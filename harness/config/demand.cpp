#include "harness/config/demand.hpp"

#include "harness/config/baseline.hpp"
#include "harness/config/fact_rule.hpp"

namespace rackproof::config {
namespace {

constexpr std::int64_t kMostNodesDemanded = 1'000'000;
constexpr std::int64_t kMostPortsDemanded = 64;

void read_nodes(const document::Field& field, model::Demand& demand) {
  const document::Object object(field, {"min", "max"});
  if (const auto low = object.find("min")) demand.nodes_min = low->integer(1, kMostNodesDemanded);
  if (const auto high = object.find("max")) {
    demand.nodes_max = high->integer(demand.nodes_min.value_or(1), kMostNodesDemanded);
  }
  if (!demand.nodes_min && !demand.nodes_max) field.fail("expected 'min', 'max' or both");
}

model::Demand read_demand(const document::Field& field) {
  const document::Object object(field, {"metric", "parameters", "backend", "nodes", "where",
                                        "conditions", "refused", "ports", "reason"});
  model::Demand demand;
  demand.metric = object.require("metric").pattern();
  if (const auto parameters = object.find("parameters")) {
    demand.parameters = read_match_parameters(*parameters);
  }
  if (const auto backend = object.find("backend")) demand.backend = backend->pattern();
  if (const auto nodes = object.find("nodes")) read_nodes(*nodes, demand);
  if (const auto where = object.find("where")) {
    for (const document::Field& item : where->items()) read_fact_rule(item, demand.where);
  }
  if (const auto shown = object.find("conditions")) {
    demand.conditions = read_match_parameters(*shown);
  }
  if (const auto refused = object.find("refused")) {
    demand.refused = read_match_parameters(*refused);
  }
  if (const auto ports = object.find("ports")) {
    demand.ports_min =
        document::Object(*ports, {"min"}).require("min").integer(1, kMostPortsDemanded);
  }
  if (demand.conditions.empty() && demand.refused.empty() && !demand.ports_min) {
    field.fail("demands nothing; expected 'conditions', 'refused', 'ports' or several of them");
  }
  demand.reason = object.require("reason").text();
  return demand;
}

}  // namespace

void fold_demands(const document::Field& field, model::PlatformTable& table) {
  std::vector<model::Demand> all;
  for (const document::Field& item : field.items()) {
    all.push_back(read_demand(item));
    all.back().table = table.id;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (all[i] == all.back()) item.fail("is the same as an earlier demand of this table");
    }
  }
  all.insert(all.end(), table.demands.begin(), table.demands.end());
  table.demands = std::move(all);
}

}  // namespace rackproof::config
