#include <fmt/format.h>

#include <algorithm>

#include "harness/lint/rules.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::lint {
namespace {

using model::Baseline;
using model::BaselineKind;

std::string line_of(const Scene& scene, const Baseline& baseline) {
  return fmt::format("'{}' (line {})", baseline.id, scene.placed.baseline(baseline, {}).line);
}

// True when what the first one judges never comes to a later one. A fraction may lack its fact, a
// cell may lie outside a curve, and a measurement may show other conditions.
bool always_judges(const Baseline& baseline) {
  return baseline.when.empty() &&
         (baseline.kind == BaselineKind::kAbsolute || baseline.kind == BaselineKind::kCorrectness);
}

bool disagree(const Baseline& a, const Baseline& b) {
  if (a.when != b.when) return false;
  if (a.kind != BaselineKind::kAbsolute || b.kind != BaselineKind::kAbsolute || a.unit != b.unit) {
    return false;
  }
  const double tolerance = std::max({a.tolerance_below.value_or(0), a.tolerance_above.value_or(0),
                                     b.tolerance_below.value_or(0), b.tolerance_above.value_or(0)});
  return std::min(a.expected, b.expected) < std::max(a.expected, b.expected) * (1 - tolerance);
}

void compare(const Scene& scene, const Baseline& earlier, const Baseline& later) {
  const Selector first = selector_of(earlier);
  const Selector second = selector_of(later);
  if (!overlap(first, second, scene.catalogue)) return;
  const bool later_inside = covers(first, second, scene.catalogue);
  const bool earlier_inside = covers(second, first, scene.catalogue);
  // One that is more particular and comes first is an exception to the other.
  if (earlier_inside && !later_inside) return;
  if (disagree(earlier, later)) {
    scene.complain(scene.placed.baseline(later, {"expected", "value"}),
                   fmt::format("{} for cells for which {} says {}; expected one figure for a cell",
                               model::quantity(later.expected, later.unit), line_of(scene, earlier),
                               model::quantity(earlier.expected, earlier.unit)));
  } else if (later_inside && always_judges(earlier)) {
    scene.warn(scene.placed.baseline(later, {"metric"}),
               fmt::format("never judges a cell: {} applies to all of its cells and comes first",
                           line_of(scene, earlier)));
  }
}

}  // namespace

void check_together(const Scene& scene) {
  std::vector<const Baseline*> own;
  for (const Baseline& baseline : scene.table().baselines) {
    if (baseline.table == scene.table().id &&
        !kinds_of(selector_of(baseline), scene.catalogue).empty()) {
      own.push_back(&baseline);
    }
  }
  for (std::size_t j = 0; j < own.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) compare(scene, *own[i], *own[j]);
  }
}

}  // namespace rackproof::lint
