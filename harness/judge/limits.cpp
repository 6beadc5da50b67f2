#include "harness/judge/limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/judge/match.hpp"
#include "harness/judge/reasons.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::judge {
namespace {

using model::Baseline;
using model::BaselineKind;
using model::Better;

bool applies(const Baseline& baseline, const model::Cell& cell, std::int64_t hosts) {
  return model::glob_match(baseline.metric, cell.metric) &&
         parameters_match(baseline.parameters, cell.parameters) &&
         hosts >= baseline.nodes_min.value_or(hosts) && hosts <= baseline.nodes_max.value_or(hosts);
}

std::string text_of(const std::optional<double>& tolerance) {
  return tolerance ? fmt::format("{}", *tolerance) : "none";
}

bool is_tolerance(const std::optional<double>& tolerance) {
  return !tolerance || (std::isfinite(*tolerance) && *tolerance >= 0);
}

/// False when the figures of the baseline cannot hold anything to account.
bool set_limits(Limits& limits, Better better) {
  const std::optional<double>& below = limits.baseline->tolerance_below;
  const std::optional<double>& above = limits.baseline->tolerance_above;
  if (!std::isfinite(limits.expected) || !(limits.expected > 0)) return false;
  if (!is_tolerance(below) || !is_tolerance(above)) return false;
  if (better == Better::kMore ? !below : !above) return false;
  if (below) limits.low = limits.expected * (1 - *below);
  if (above) limits.high = limits.expected * (1 + *above);
  if (limits.high && !std::isfinite(*limits.high)) return false;
  // A limit of zero or less would let every number pass.
  return better == Better::kLess || *limits.low > 0;
}

Choice refuse(const char* id, std::string sentence) {
  Choice choice;
  choice.problem = id;
  choice.sentence = std::move(sentence);
  return choice;
}

Choice hold(const Baseline& baseline, double expected, std::string origin,
            const model::Measurement& measurement) {
  Choice choice;
  choice.limits.baseline = &baseline;
  choice.limits.expected = expected;
  choice.limits.origin = std::move(origin);
  if (!set_limits(choice.limits, measurement.better)) {
    return refuse(reason_id::kBadBaseline,
                  fmt::format("baseline {} cannot be held against a number: expected {}, tolerance "
                              "below {}, above {}",
                              baseline.id, expected, text_of(baseline.tolerance_below),
                              text_of(baseline.tolerance_above)));
  }
  return choice;
}

Choice wrong_unit(const Baseline& baseline, std::string_view wanted, std::string_view have) {
  return refuse(reason_id::kUnitMismatch,
                fmt::format("baseline {} is in \"{}\", not in \"{}\": not compared", baseline.id,
                            wanted, have));
}

}  // namespace

Choice choose_limits(const Context& context, const model::Cell& cell,
                     const model::PlatformTable& table, const model::Measurement& measurement) {
  const auto hosts = static_cast<std::int64_t>(hosts_of(cell.subject).size());
  const Baseline* without_fact = nullptr;
  for (const Baseline& baseline : table.baselines) {
    if (!applies(baseline, cell, hosts)) continue;
    switch (baseline.kind) {
      case BaselineKind::kCorrectness: {
        Choice choice;
        choice.limits.baseline = &baseline;
        return choice;
      }
      case BaselineKind::kAbsolute:
        if (baseline.unit != measurement.unit) {
          return wrong_unit(baseline, baseline.unit, measurement.unit);
        }
        return hold(baseline, baseline.expected, "", measurement);
      case BaselineKind::kFraction: {
        if (baseline.unit != "ratio") return wrong_unit(baseline, baseline.unit, "ratio");
        const std::optional<double> fact = context.fact(table, cell.subject, baseline.of);
        if (fact) {
          return hold(baseline, baseline.expected * *fact,
                      fmt::format("{:.4g} of {}, {}", baseline.expected, baseline.of,
                                  model::quantity(*fact, measurement.unit)),
                      measurement);
        }
        if (without_fact == nullptr) without_fact = &baseline;
        break;
      }
    }
  }
  if (without_fact != nullptr) {
    return refuse(
        reason_id::kNoFact,
        fmt::format("baseline {} needs {}, which neither table {} nor the inventory states",
                    without_fact->id, without_fact->of, table.id));
  }
  return refuse(reason_id::kNoBaseline,
                fmt::format("table {} has no baseline for {}", table.id, cell.metric));
}

}  // namespace rackproof::judge
