#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "contract/unit.hpp"
#include "harness/document/reader.hpp"
#include "harness/lint/rules.hpp"
#include "reports/catalogue/fact_units.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::lint {
namespace {

using model::Baseline;
using model::BaselineKind;

// Half as fast, of a rate and of a time.
constexpr double kWidestBelow = 0.5;
constexpr double kWidestAbove = 1;
// A figure may be the peak itself, converted from another unit.
constexpr double kRounding = 1e-9;

bool has_value(const Baseline& baseline) {
  return baseline.kind == BaselineKind::kAbsolute || baseline.kind == BaselineKind::kCurve;
}

void check_unit(const Scene& scene, const Baseline& baseline,
                const std::vector<const config::MetricKind*>& kinds, const Where& where) {
  if (!has_value(baseline)) return;
  for (const auto* kind : kinds) {
    if (kind->unit == baseline.unit) continue;
    const auto named = names_of(baseline.metric, {*kind});
    scene.complain(
        baseline.kind == BaselineKind::kCurve ? where({"unit"}) : where({"expected", "unit"}),
        fmt::format("the figure is in {}, and {}-{} prints '{}'{} in {}", baseline.unit,
                    kind->bench, fmt::join(backends_of(selector_of(baseline), {kind}), ","),
                    named.front(), kinds.size() > 1 ? " among what it is about" : "", kind->unit));
    return;
  }
}

// A rate of a GPU says nothing of the host's cores, nor one over NVLink of MPI.
void check_backends(const Scene& scene, const Baseline& baseline,
                    const std::vector<const config::MetricKind*>& kinds, const Where& where) {
  if (!has_value(baseline)) return;
  const auto backends = backends_of(selector_of(baseline), kinds);
  if (backends.size() < 2) return;
  scene.complain(where({"backend"}),
                 fmt::format("the figure judges what the backends {} measure alike; expected "
                             "'backend' to say whose it is",
                             fmt::join(backends, " and ")));
}

void check_direction(const Scene& scene, const Baseline& baseline,
                     const std::vector<const config::MetricKind*>& kinds, const Where& where) {
  if (baseline.kind == BaselineKind::kCorrectness) return;
  for (const auto* kind : kinds) {
    const bool more = kind->better == contract::Better::kMore;
    if (more ? baseline.tolerance_below : baseline.tolerance_above) continue;
    scene.complain(more ? where({"better"}) : where({"tolerance_below"}),
                   fmt::format("{} is better for '{}'; expected '{}', which this baseline lacks",
                               more ? "more" : "less", names_of(baseline.metric, {*kind}).front(),
                               more ? "tolerance_below" : "tolerance_above"));
    return;
  }
}

void check_tolerance(const Scene& scene, const std::optional<double>& tolerance, double widest,
                     const char* field, const Where& where) {
  if (!tolerance || *tolerance <= widest) return;
  scene.complain(where({field}),
                 fmt::format("a tolerance of {} says little about a machine; expected at most {}",
                             *tolerance, widest));
}

void check_source(const Scene& scene, const model::Source& source, const config::Place& place) {
  if (source.kind != "measured-here" || source.n) return;
  scene.warn(place,
             "the field 'n' is missing; a figure measured here says how many samples, devices or "
             "nodes it stands for");
}

// What bounds one metric here.
struct Bound {
  double high = 0;
  std::optional<double> low;
  std::string what;  ///< "peak.gpu.flops_bf16, 989 TFLOP/s"
  std::string reason;
};

std::optional<double> fact_value(const model::PlatformTable& table, const std::string& name) {
  const auto found = table.facts.find(name);
  if (found == table.facts.end()) return std::nullopt;
  if (const auto* broken = std::get_if<double>(&found->second)) return *broken;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) {
    return static_cast<double>(*whole);
  }
  return std::nullopt;
}

std::optional<double> bytes_of(const contract::Parameters& parameters) {
  const auto found = parameters.find("bytes");
  if (found == parameters.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) {
    return static_cast<double>(*whole);
  }
  if (const auto* broken = std::get_if<double>(&found->second)) return *broken;
  return std::nullopt;
}

std::optional<Bound> bound_of(const model::PlatformTable& table, const config::Peak& peak,
                              const std::string& unit, const std::optional<double>& bytes) {
  for (const std::string& name : peak.facts) {
    const auto value = fact_value(table, name);
    if (!value) continue;
    Bound bound;
    bound.high = *value * peak.most;
    const bool small = bytes && peak.from_bytes && *bytes < static_cast<double>(*peak.from_bytes);
    if (!small) bound.low = *value * peak.least;
    bound.what = fmt::format("{}, {}", name, model::quantity(*value, unit));
    bound.reason = peak.reason;
    return bound;
  }
  return std::nullopt;
}

std::vector<Bound> bounds_of(const Scene& scene, const Baseline& baseline,
                             const std::optional<double>& bytes) {
  std::vector<Bound> bounds;
  for (const auto* kind : kinds_of(selector_of(baseline), scene.catalogue)) {
    if (kind->unit != baseline.unit) continue;
    const std::size_t before = bounds.size();
    for (const config::Peak& peak : kind->peaks) {
      if (!compatible(peak.where, baseline.parameters)) continue;
      if (auto bound = bound_of(scene.table(), peak, kind->unit, bytes)) {
        bounds.push_back(std::move(*bound));
      }
    }
    // What is possible on any machine says less than a peak of this one.
    if (!kind->range || bounds.size() > before) continue;
    const config::Range& range = *kind->range;
    const bool large =
        range.up_to_bytes && (!bytes || *bytes > static_cast<double>(*range.up_to_bytes));
    if (large) continue;
    bounds.push_back(
        {range.to, range.from,
         fmt::format("the range of '{}', {} to {}", names_of(baseline.metric, {*kind}).front(),
                     model::quantity(range.from, kind->unit),
                     model::quantity(range.to, kind->unit)),
         range.reason});
  }
  return bounds;
}

std::string because(const Bound& bound) {
  return bound.reason.empty() ? "" : fmt::format(" ({})", bound.reason);
}

// A figure that is about several kinds of metric is refused when none of them allows it.
void check_value(const Scene& scene, const Baseline& baseline, double value,
                 const std::optional<double>& bytes, const config::Place& place) {
  const auto bounds = bounds_of(scene, baseline, bytes);
  if (bounds.empty()) return;
  const std::string on = baseline.table == scene.table().id
                             ? ""
                             : fmt::format("on '{}', which inherits it, ", scene.table().id);
  const auto highest = std::max_element(
      bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return a.high < b.high; });
  if (value > highest->high * (1 + kRounding)) {
    scene.complain(place, fmt::format("{}{} is above {}, the most that '{}' can be: {}{}", on,
                                      model::quantity(value, baseline.unit),
                                      model::quantity(highest->high, baseline.unit),
                                      baseline.metric, highest->what, because(*highest)));
    return;
  }
  const bool all = std::all_of(bounds.begin(), bounds.end(), [](const auto& b) { return b.low; });
  if (!all) return;
  const auto lowest = std::min_element(
      bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return *a.low < *b.low; });
  if (value >= *lowest->low * (1 - kRounding)) return;
  scene.complain(place,
                 fmt::format("{}{} is under {}, the least that says something about '{}': {}{}; "
                             "a slip of units?",
                             on, model::quantity(value, baseline.unit),
                             model::quantity(*lowest->low, baseline.unit), baseline.metric,
                             lowest->what, because(*lowest)));
}

// The fact that a fraction is of, in another unit than what it judges.
void check_fraction(const Scene& scene, const Baseline& baseline,
                    const std::vector<const config::MetricKind*>& kinds, const Where& where) {
  if (baseline.kind != BaselineKind::kFraction || kinds.empty()) return;
  const std::string_view unit = catalogue::unit_of_fact(baseline.of);
  const bool fits = std::any_of(kinds.begin(), kinds.end(),
                                [unit](const auto* kind) { return kind->unit == unit; });
  if (unit.empty() || fits) return;
  scene.complain(
      where({"of"}),
      fmt::format("'{}' is in {}, and '{}' is in {}; expected a fact of its unit", baseline.of,
                  unit, names_of(baseline.metric, {*kinds.front()}).front(), kinds.front()->unit));
}

}  // namespace

void check_form(const Scene& scene, const model::Baseline& baseline, const Where& where) {
  const auto kinds = kinds_of(selector_of(baseline), scene.catalogue);
  check_unit(scene, baseline, kinds, where);
  check_fraction(scene, baseline, kinds, where);
  check_backends(scene, baseline, kinds, where);
  check_direction(scene, baseline, kinds, where);
  check_tolerance(scene, baseline.tolerance_below, kWidestBelow, "tolerance_below", where);
  check_tolerance(scene, baseline.tolerance_above, kWidestAbove, "tolerance_above", where);
  if (baseline.kind != BaselineKind::kCorrectness) {
    check_source(scene, baseline.source, where({"source"}));
  }
}

void check_bounds(const Scene& scene, const model::Baseline& baseline, const Where& where) {
  switch (baseline.kind) {
    case BaselineKind::kCorrectness:
      return;
    case BaselineKind::kBound:
    case BaselineKind::kFraction:
      if (baseline.expected < 0.1 && baseline.table == scene.table().id) {
        scene.complain(where({"expected"}),
                       fmt::format("{} of '{}' is under a tenth of it: a machine that reaches so "
                                   "little is not whole",
                                   baseline.expected, baseline.of));
      }
      return;
    case BaselineKind::kAbsolute:
      check_value(scene, baseline, baseline.expected, bytes_of(baseline.parameters),
                  where({"expected", "value"}));
      return;
    case BaselineKind::kCurve:
      for (std::size_t i = 0; i < baseline.points.size(); ++i) {
        check_value(scene, baseline, baseline.points[i].value,
                    static_cast<double>(baseline.points[i].bytes),
                    where({"points", std::to_string(i), "value"}));
      }
      return;
  }
}

void check_facts(const Scene& scene) {
  for (const auto& [name, unit] : scene.placed.own_fact_units()) {
    const std::string_view promised = catalogue::unit_of_fact(name);
    const auto base = contract::find_unit(unit);
    // What is only counted may be given in whatever counts it.
    if (promised.empty() || promised == "count" || !base || base->base == promised) continue;
    scene.complain(
        scene.placed.fact(name, {"unit"}),
        fmt::format("'{}' is of the dimension {}, as its name says; got {}", name, promised, unit));
  }
  for (const auto& [name, source] : scene.table().fact_sources) {
    const config::Place place = scene.placed.fact(name, {"source"});
    if (place.file == scene.placed.own({}).file) check_source(scene, source, place);
  }
}

}  // namespace rackproof::lint
