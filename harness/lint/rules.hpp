#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/lint/cells.hpp"
#include "harness/lint/lint.hpp"

namespace rackproof::lint {

/// What the rules look at, and where they complain.
struct Scene {
  const config::PlacedTable& placed;
  const config::MetricCatalogue& catalogue;
  std::vector<Complaint>& complaints;

  const model::PlatformTable& table() const { return placed.table; }
  void complain(config::Place place, std::string text) const {
    complaints.push_back({std::move(place), std::move(text), Weight::kError});
  }
  void warn(config::Place place, std::string text) const {
    complaints.push_back({std::move(place), std::move(text), Weight::kWarning});
  }
};

/// Gives the place of a part of what a rule looks at.
using Where = std::function<config::Place(const std::vector<std::string>& path)>;

/// Metric, backend and parameters must be those of some bench. False when they are not: then
/// nothing else can be said of the entry.
bool check_selector(const Scene& scene, const Selector& selector, const Where& where);

/// Unit, direction, tolerance, source and, for a figure of one backend, its ambiguity.
void check_form(const Scene& scene, const model::Baseline& baseline, const Where& where);

/// Against the peaks that the table states, and against the ranges of what has none.
void check_bounds(const Scene& scene, const model::Baseline& baseline, const Where& where);

/// A figure of NCCL over several hosts against the network that the table states.
void check_fabric(const Scene& scene, const model::Baseline& baseline, const Where& where);

/// The points of a curve against the curve through them.
void check_curve(const Scene& scene, const model::Baseline& baseline, const Where& where);

/// Dimension and source of the facts in this table's own file.
void check_facts(const Scene& scene);

/// Baselines of this table that are about the same cells, two by two.
void check_together(const Scene& scene);

}  // namespace rackproof::lint
