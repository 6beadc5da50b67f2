#include "harness/cells/plausible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/evidence/reasons.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cells {
namespace {

using contract::Better;
using model::MetricBound;

// Data sheets state the boost clock, and parts run up to 8 % above it (H100 SXM: 1980 MHz for
// 1830).
constexpr double kAbovePeak = 0.1;

// What no whole installation of this age has, in any metric of the unit.
struct UnitBound {
  std::string_view unit;
  double most;
};
constexpr std::array kUnitBounds = {UnitBound{"B/s", 1e19},     UnitBound{"FLOP/s", 1e22},
                                    UnitBound{"OP/s", 1e22},    UnitBound{"B", 1e20},
                                    UnitBound{"cells/s", 1e20}, UnitBound{"cells/J", 1e17},
                                    UnitBound{"W", 1e9},        UnitBound{"Hz", 1e13},
                                    UnitBound{"J", 1e15},       UnitBound{"degC", 1e4}};
// Light goes 3 mm meanwhile.
constexpr double kShortestTime = 1e-11;

/// Told in words only where a number is beyond it: each cell is held against one.
struct Limit {
  double value = 0;
  const MetricBound* bound = nullptr;  ///< null: that of the unit
  const std::string* name = nullptr;   ///< of the fact; null: on any machine
  double fact = 0;
};

bool is_better(const model::Measurement& measurement, double value, double limit) {
  return measurement.better == Better::kMore ? value > limit : value < limit;
}

std::string because(const std::string& reason) {
  return reason.empty() ? "" : fmt::format(" ({})", reason);
}

/// Of a bound that is about the cell; nothing when no fact of it is known here.
std::optional<Limit> limit_of(const evidence::Context& context, const model::Cell& cell,
                              const model::PlatformTable& table, const MetricBound& bound) {
  if (bound.facts.empty()) return Limit{bound.most, &bound};
  for (const std::string& name : bound.facts) {
    const std::optional<double> fact = context.fact(table, cell.subject, name);
    if (!fact) continue;
    const double slack = bound.better == Better::kMore ? 1 + kAbovePeak : 1 - kAbovePeak;
    return Limit{*fact * bound.most * slack, &bound, &name, *fact};
  }
  return std::nullopt;
}

std::optional<Limit> limit_of_unit(const model::Measurement& measurement) {
  if (measurement.better == Better::kLess) {
    if (measurement.unit != "s") return std::nullopt;
    return Limit{kShortestTime};
  }
  for (const auto& [unit, most] : kUnitBounds) {
    if (measurement.unit == unit) return Limit{most};
  }
  return std::nullopt;
}

std::string origin_of(const Limit& limit, const model::Measurement& measurement) {
  if (limit.bound == nullptr) {
    return measurement.better == Better::kLess
               ? "for any time"
               : fmt::format("for anything in {}", measurement.unit);
  }
  const MetricBound& bound = *limit.bound;
  if (limit.name == nullptr) return "on any machine" + because(bound.reason);
  return fmt::format("by {}, {}{}{}", *limit.name, model::quantity(limit.fact, bound.unit),
                     bound.most == 1 ? "" : fmt::format(" x {:.4g}", bound.most),
                     because(bound.reason));
}

model::Verdict contradicts(const MetricBound& bound, const model::Measurement& measurement) {
  return evidence::verdict(
      model::Outcome::kUntested, model::reason_id::kInconsistent,
      fmt::format("it is in \"{}\" where {} is better; the bench's list of metrics says \"{}\" "
                  "where {} is better",
                  measurement.unit, contract::word(measurement.better), bound.unit,
                  contract::word(bound.better)));
}

}  // namespace

std::optional<model::Verdict> refuse_implausible(const evidence::Context& context,
                                                 const model::Cell& cell,
                                                 const model::PlatformTable* table,
                                                 const model::Measurement& measurement,
                                                 contract::Statistic statistic, double value) {
  static const model::PlatformTable kNone;
  const model::StepInfo* step = context.step(cell.step);
  std::optional<Limit> tightest;
  const MetricBound* other = nullptr;
  bool known = false;
  for (const MetricBound* bound : context.bounds_of(cell.metric)) {
    if (!recognise::is_about(*bound, cell, step)) continue;
    if (bound->unit != measurement.unit || bound->better != measurement.better) {
      other = bound;
      continue;
    }
    known = true;
    auto limit = limit_of(context, cell, table == nullptr ? kNone : *table, *bound);
    if (limit && (!tightest || is_better(measurement, tightest->value, limit->value))) {
      tightest = limit;
    }
  }
  if (!known && other != nullptr) return contradicts(*other, measurement);
  if (!tightest) tightest = limit_of_unit(measurement);
  if (!tightest || !is_better(measurement, value, tightest->value)) return std::nullopt;
  return evidence::verdict(
      model::Outcome::kUntested, model::reason_id::kImplausible,
      fmt::format("{} {} is better than {}, the best that {} can be {}: a slip of units, a wrong "
                  "clock, or work that was not done",
                  contract::word(statistic), model::quantity(value, measurement.unit),
                  model::quantity(tightest->value, measurement.unit), cell.metric,
                  origin_of(*tightest, measurement)));
}

std::vector<model::Finding> find_implausible(const JudgedCells& judged) {
  std::vector<model::Finding> findings;
  for (const auto& [key, seen] : judged.implausible()) {
    model::Finding finding;
    finding.id = model::finding_id::kImplausible;
    finding.severity = model::Severity::kError;
    finding.subject = seen.subject;
    finding.step = key.first;
    finding.text = fmt::format(
        "{}{}: {}", key.second,
        seen.cells == 1 ? "" : fmt::format(", {} cells, the first", seen.cells), seen.why);
    finding.evidence = {{"metric", key.second}, {"cells", static_cast<std::int64_t>(seen.cells)}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rackproof::cells
