#include "harness/limits/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/evidence/reasons.hpp"
#include "harness/limits/bound.hpp"
#include "harness/recognise/match.hpp"
#include "harness/stats/curve.hpp"
#include "reports/catalogue/fact_units.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::limits {
namespace {

using contract::Better;
using model::Baseline;
using model::BaselineKind;

bool fits_backend(const Baseline& baseline, const model::StepInfo* step) {
  return baseline.backend.empty() ||
         (step != nullptr && model::glob_match(baseline.backend, step->backend));
}

bool applies(const evidence::Context& context, const Baseline& baseline, const model::Cell& cell,
             std::int64_t hosts, const contract::Parameters& shown) {
  return model::glob_match(baseline.metric, cell.metric) &&
         recognise::parameters_match(baseline.parameters, cell.parameters) &&
         fits_backend(baseline, context.step(cell.step)) &&
         recognise::parameters_match(baseline.when, shown) &&
         hosts >= baseline.nodes_min.value_or(hosts) && hosts <= baseline.nodes_max.value_or(hosts);
}

std::string tolerance_text(const std::optional<double>& tolerance) {
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
    return refuse(model::reason_id::kBadBaseline,
                  fmt::format("baseline {} cannot be held against a number: expected {}, tolerance "
                              "below {}, above {}",
                              baseline.id, expected, tolerance_text(baseline.tolerance_below),
                              tolerance_text(baseline.tolerance_above)));
  }
  return choice;
}

Choice wrong_unit(const Baseline& baseline, std::string_view wanted, std::string_view have) {
  return refuse(model::reason_id::kUnitMismatch,
                fmt::format("baseline {} is in \"{}\", not in \"{}\": not compared", baseline.id,
                            wanted, have));
}

/// Where a cell lies on a curve.
struct Place {
  double bytes = 0;
  double ranks = 0;
  bool inside = false;
  bool smaller = false;  ///< only its bytes are outside, on the side of latency
  std::string sentence;  ///< why it is outside
};

Place place_on(const Baseline& baseline, const model::Cell& cell, std::int64_t hosts) {
  const auto given = [&cell](const char* name) {
    const auto found = cell.parameters.find(name);
    return found == cell.parameters.end() ? std::nullopt : recognise::number(found->second);
  };
  Place place;
  const std::optional<double> bytes = given("bytes");
  const std::optional<double> ranks = given("ranks");
  if (!bytes || !ranks || baseline.points.empty()) {
    place.sentence = "the cell has no parameters bytes and ranks to find its place by";
    return place;
  }
  place.bytes = *bytes;
  place.ranks = *ranks;
  const auto span = [&baseline](auto member) {
    const auto [least, most] = std::minmax_element(
        baseline.points.begin(), baseline.points.end(),
        [member](const auto& a, const auto& b) { return a.*member < b.*member; });
    return std::pair(static_cast<double>((*least).*member), static_cast<double>((*most).*member));
  };
  const auto sizes = span(&model::CurvePoint::bytes);
  const auto counts = span(&model::CurvePoint::ranks);
  const auto nodes = span(&model::CurvePoint::nodes);
  const auto holds = [](const auto& range, double value) {
    return value >= range.first && value <= range.second;
  };
  const bool scale = holds(counts, *ranks) && holds(nodes, static_cast<double>(hosts));
  place.inside = scale && holds(sizes, *bytes);
  place.smaller = scale && *bytes < sizes.first;
  place.sentence = fmt::format(
      "{} bytes, {} ranks and {} hosts lie outside its figures: {} to {} bytes, {} to {} ranks, {} "
      "to {} hosts",
      *bytes, *ranks, hosts, sizes.first, sizes.second, counts.first, counts.second, nodes.first,
      nodes.second);
  return place;
}

Choice by_correctness(const Baseline& baseline, std::string why) {
  Choice choice;
  choice.limits.baseline = &baseline;
  choice.limits.by_correctness = true;
  choice.limits.why_correctness = std::move(why);
  return choice;
}

/// Nothing when the cell lies outside; `outside` then says so.
std::optional<Choice> on_curve(const Baseline& baseline, const model::Cell& cell,
                               std::int64_t hosts, const model::Measurement& measurement,
                               std::string& outside) {
  const Place place = place_on(baseline, cell, hosts);
  if (!place.inside) {
    if (place.smaller && baseline.smaller_by_correctness) {
      return by_correctness(baseline, place.sentence);
    }
    outside = fmt::format("baseline {}: {}", baseline.id, place.sentence);
    return std::nullopt;
  }
  std::vector<stats::BusPoint> points;
  for (const model::CurvePoint& point : baseline.points) {
    points.push_back(
        {static_cast<double>(point.bytes), static_cast<double>(point.ranks), point.value});
  }
  const auto curve = stats::fit_bus_curve(points);
  if (!curve) {
    return refuse(
        model::reason_id::kBadBaseline,
        fmt::format("no latency and bandwidth fit the figures of baseline {}", baseline.id));
  }
  return hold(baseline, curve->bytes_per_second(place.bytes, place.ranks),
              fmt::format("a curve through {} figures", points.size()), measurement);
}

/// Nothing when the bound cannot be told; `unbounded` then says why.
std::optional<Choice> by_bound(const evidence::Context& context, const Baseline& baseline,
                               const model::Cell& cell, const model::PlatformTable& table,
                               const model::Measurement& measurement,
                               const contract::Parameters& shown, std::string& unbounded) {
  const auto of = contract::enumerator_of<model::BoundOf>(baseline.of);
  if (!of) {
    return refuse(model::reason_id::kBadBaseline,
                  fmt::format("baseline {} asks for a bound '{}', which there is not", baseline.id,
                              baseline.of));
  }
  const Bound bound = bound_of(*of, context, table, cell, shown);
  if (bound.contradictory) {
    return refuse(model::reason_id::kNoBound,
                  fmt::format("baseline {} has no bound to hold the number against: {}",
                              baseline.id, bound.text));
  }
  if (!(bound.value > 0)) {
    unbounded = fmt::format("no bound for baseline {}: {}", baseline.id, bound.text);
    return std::nullopt;
  }
  if (bound.unit != measurement.unit) return wrong_unit(baseline, bound.unit, measurement.unit);
  // A share is one of speed: what takes half as long is twice as fast.
  const double expected = measurement.better == Better::kMore ? bound.value * baseline.expected
                                                              : bound.value / baseline.expected;
  return hold(baseline, expected,
              fmt::format("{:.4g} of {}{}: {}", baseline.expected,
                          measurement.better == Better::kMore ? "" : "the speed of ",
                          model::quantity(bound.value, bound.unit), bound.text),
              measurement);
}

}  // namespace

Choice choose_limits(const evidence::Context& context, const model::Cell& cell,
                     const model::PlatformTable& table, const model::Measurement& measurement,
                     const contract::Parameters& shown) {
  const auto hosts = static_cast<std::int64_t>(evidence::host_count(cell.subject));
  const Baseline* without_fact = nullptr;
  std::string outside;
  std::string unbounded;
  for (const Baseline& baseline : table.baselines) {
    if (!applies(context, baseline, cell, hosts, shown)) continue;
    switch (baseline.kind) {
      case BaselineKind::kCorrectness:
        if (outside.empty()) return by_correctness(baseline, unbounded);
        break;
      case BaselineKind::kBound:
        if (auto choice = by_bound(context, baseline, cell, table, measurement, shown, unbounded)) {
          return *choice;
        }
        break;
      case BaselineKind::kCurve:
        if (baseline.unit != measurement.unit) {
          return wrong_unit(baseline, baseline.unit, measurement.unit);
        }
        if (auto choice = on_curve(baseline, cell, hosts, measurement, outside)) return *choice;
        break;
      case BaselineKind::kAbsolute:
        if (baseline.unit != measurement.unit) {
          return wrong_unit(baseline, baseline.unit, measurement.unit);
        }
        return hold(baseline, baseline.expected, "", measurement);
      case BaselineKind::kFraction: {
        if (baseline.unit != "ratio") return wrong_unit(baseline, baseline.unit, "ratio");
        const std::string_view unit = catalogue::unit_of_fact(baseline.of);
        if (!unit.empty() && unit != measurement.unit) {
          return refuse(model::reason_id::kUnitMismatch,
                        fmt::format("baseline {} is a fraction of {}, which is in \"{}\", and the "
                                    "number in \"{}\": not compared",
                                    baseline.id, baseline.of, unit, measurement.unit));
        }
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
  if (!outside.empty()) return refuse(model::reason_id::kOutsideCurve, outside);
  if (!unbounded.empty()) return refuse(model::reason_id::kNoBound, unbounded);
  if (without_fact != nullptr) {
    return refuse(
        model::reason_id::kNoFact,
        fmt::format("baseline {} needs {}, which neither table {} nor the inventory states",
                    without_fact->id, without_fact->of, table.id));
  }
  return refuse(model::reason_id::kNoBaseline,
                fmt::format("table {} has no baseline for {}", table.id, cell.metric));
}

}  // namespace rackproof::limits
