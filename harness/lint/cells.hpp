#pragma once

#include <string>
#include <vector>

#include "harness/config/metrics.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::lint {

/// Which cells a baseline or a waiver is about.
struct Selector {
  std::string metric;
  contract::Parameters parameters;
  std::string backend;  ///< a pattern; empty: any
  std::int64_t nodes_min = 1;
  std::int64_t nodes_max = INT64_MAX;
};

Selector selector_of(const model::Baseline& baseline);
Selector selector_of(const model::Waiver& waiver);
Selector selector_of(const model::Demand& demand);

/// Names of metrics that the pattern stands for, each once.
std::vector<std::string> names_of(const std::string& pattern,
                                  const config::MetricCatalogue& catalogue);

/// True for text with `*` or `?`.
bool is_pattern(const std::string& text);

/// The kinds of metrics that some cell of the selector is of.
std::vector<const config::MetricKind*> kinds_of(const Selector& selector,
                                                const config::MetricCatalogue& catalogue);

/// The backends of these kinds that the selector is about, each once.
std::vector<std::string> backends_of(const Selector& selector,
                                     const std::vector<const config::MetricKind*>& kinds);

/// True when a cell with the parameters of `a` may have those of `b`.
bool compatible(const contract::Parameters& a, const contract::Parameters& b);

/// True when some cell is of both.
bool overlap(const Selector& a, const Selector& b, const config::MetricCatalogue& catalogue);

/// True when each cell of `inner` is one of `outer`.
bool covers(const Selector& outer, const Selector& inner, const config::MetricCatalogue& catalogue);

}  // namespace rackproof::lint
