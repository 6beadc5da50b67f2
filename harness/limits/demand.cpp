#include "harness/limits/demand.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/recognise/match.hpp"
#include "harness/recognise/recognise.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::limits {
namespace {

using model::Demand;
using model::Measurement;
using Found = std::optional<UnmetDemand>;

/// One condition of one measurement; `wanted` must be shown, or must not where it is refused.
Found unmet_by(const Measurement& measurement, const std::string& name,
               const contract::Scalar& wanted, bool refused, const std::string& who,
               const std::string& why) {
  const auto have = measurement.conditions.find(name);
  const std::string tail = why.empty() ? "" : ": " + why;
  if (have == measurement.conditions.end()) {
    return UnmetDemand{
        false, fmt::format("{} {} {} {}, and the bench does not say which it was{}", who,
                           refused ? "refuses" : "demands", name, model::to_text(wanted), tail)};
  }
  if (recognise::parameters_match({{name, wanted}}, {{name, have->second}}) != refused)
    return std::nullopt;
  return UnmetDemand{
      true, refused ? fmt::format("it was measured with {} {}, which {} refuses{}", name,
                                  model::to_text(have->second), who, tail)
                    : fmt::format("it was measured with {} {}; {} demands {}{}", name,
                                  model::to_text(have->second), who, model::to_text(wanted), tail)};
}

/// What differs is worse than what is not known.
void keep_worse(Found& worst, Found next) {
  if (next && (!worst || (next->known && !worst->known))) worst = std::move(next);
}

}  // namespace

bool is_about(const evidence::Context& context, const Demand& demand, const model::Cell& cell) {
  const auto hosts = static_cast<std::int64_t>(evidence::host_count(cell.subject));
  const model::StepInfo* step = context.step(cell.step);
  if (!model::glob_match(demand.metric, cell.metric) ||
      !recognise::parameters_match(demand.parameters, cell.parameters) ||
      hosts < demand.nodes_min.value_or(hosts) || hosts > demand.nodes_max.value_or(hosts)) {
    return false;
  }
  if (!demand.backend.empty() &&
      (step == nullptr || !model::glob_match(demand.backend, step->backend))) {
    return false;
  }
  if (demand.where.empty()) return true;
  const std::vector<std::string_view> all = evidence::hosts_of(cell.subject);
  return std::all_of(all.begin(), all.end(), [&](std::string_view host) {
    const model::NodeInventory* node = context.node(host);
    return node != nullptr && std::all_of(demand.where.begin(), demand.where.end(),
                                          [node](const model::FactRule& rule) {
                                            return recognise::holds(rule, *node);
                                          });
  });
}

contract::Parameters shown_by(const std::vector<const Measurement*>& measurements) {
  if (measurements.empty()) return {};
  contract::Parameters shown = measurements.front()->conditions;
  for (const Measurement* one : measurements) {
    std::erase_if(shown, [one](const auto& entry) {
      const auto have = one->conditions.find(entry.first);
      return have == one->conditions.end() || !recognise::same(have->second, entry.second);
    });
  }
  return shown;
}

std::optional<UnmetDemand> unmet_demand(const model::Baseline& baseline,
                                        const std::vector<const Measurement*>& measurements) {
  Found worst;
  const std::string who = "baseline " + baseline.id;
  for (const auto& [name, wanted] : baseline.demand) {
    for (const Measurement* one : measurements) {
      keep_worse(worst, unmet_by(*one, name, wanted, false, who, ""));
    }
  }
  return worst;
}

std::optional<UnmetDemand> unmet_demand(const evidence::Context& context,
                                        const model::PlatformTable& table, const model::Cell& cell,
                                        const std::vector<const Measurement*>& measurements) {
  Found worst;
  for (const Demand& demand : table.demands) {
    if (!is_about(context, demand, cell)) continue;
    const std::string who = "table " + demand.table;
    for (const Measurement* one : measurements) {
      for (const auto& [name, wanted] : demand.conditions) {
        keep_worse(worst, unmet_by(*one, name, wanted, false, who, demand.reason));
      }
      for (const auto& [name, unwanted] : demand.refused) {
        keep_worse(worst, unmet_by(*one, name, unwanted, true, who, demand.reason));
      }
    }
  }
  return worst;
}

}  // namespace rackproof::limits
