#include "harness/lint/cells.hpp"

#include <algorithm>

#include "reports/model/glob.hpp"

namespace rackproof::lint {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool glob_overlap(const std::string& a, const std::string& b) {
  return model::glob_match(a, b) || model::glob_match(b, a);
}

bool same_value(const contract::Scalar& a, const contract::Scalar& b) {
  if (a == b) return true;
  const auto* whole = std::get_if<std::int64_t>(&a);
  const auto* broken = std::get_if<double>(&b);
  if (whole == nullptr || broken == nullptr) {
    whole = std::get_if<std::int64_t>(&b);
    broken = std::get_if<double>(&a);
  }
  return whole != nullptr && broken != nullptr && static_cast<double>(*whole) == *broken;
}

// True when each value that `inner` stands for is one of `outer`.
bool value_covers(const contract::Scalar& outer, const contract::Scalar& inner) {
  const auto* pattern = std::get_if<std::string>(&outer);
  if (pattern != nullptr && is_pattern(*pattern)) {
    return model::glob_match(*pattern, model::to_text(inner));
  }
  return same_value(outer, inner);
}

}  // namespace

bool is_pattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

Selector selector_of(const model::Baseline& baseline) {
  return {baseline.metric, baseline.parameters, baseline.backend, baseline.nodes_min.value_or(1),
          baseline.nodes_max.value_or(INT64_MAX)};
}

Selector selector_of(const model::Waiver& waiver) {
  return {waiver.metric, waiver.parameters, "", 1, INT64_MAX};
}

Selector selector_of(const model::Demand& demand) {
  return {demand.metric, demand.parameters, demand.backend, demand.nodes_min.value_or(1),
          demand.nodes_max.value_or(INT64_MAX)};
}

std::vector<std::string> names_of(const std::string& pattern,
                                  const config::MetricCatalogue& catalogue) {
  std::vector<std::string> names;
  for (const config::MetricKind& kind : catalogue) {
    for (const std::string& name : kind.names) {
      if (model::glob_match(pattern, name) && !contains(names, name)) names.push_back(name);
    }
  }
  return names;
}

std::vector<const config::MetricKind*> kinds_of(const Selector& selector,
                                                const config::MetricCatalogue& catalogue) {
  std::vector<const config::MetricKind*> kinds;
  for (const config::MetricKind& kind : catalogue) {
    const bool named = std::any_of(kind.names.begin(), kind.names.end(), [&](const auto& name) {
      return model::glob_match(selector.metric, name);
    });
    const bool printed =
        std::any_of(kind.backends.begin(), kind.backends.end(), [&](const std::string& backend) {
          return selector.backend.empty() || model::glob_match(selector.backend, backend);
        });
    const bool fits =
        std::all_of(selector.parameters.begin(), selector.parameters.end(), [&](const auto& entry) {
          const auto found = kind.parameters.find(entry.first);
          return found != kind.parameters.end() && config::takes(found->second, entry.second);
        });
    if (named && printed && fits) kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<std::string> backends_of(const Selector& selector,
                                     const std::vector<const config::MetricKind*>& kinds) {
  std::vector<std::string> backends;
  for (const config::MetricKind* kind : kinds) {
    for (const std::string& backend : kind->backends) {
      const bool meant = selector.backend.empty() || model::glob_match(selector.backend, backend);
      if (meant && !contains(backends, backend)) backends.push_back(backend);
    }
  }
  return backends;
}

bool compatible(const contract::Parameters& a, const contract::Parameters& b) {
  return std::all_of(a.begin(), a.end(), [&b](const auto& entry) {
    const auto other = b.find(entry.first);
    return other == b.end() || value_covers(entry.second, other->second) ||
           value_covers(other->second, entry.second);
  });
}

bool overlap(const Selector& a, const Selector& b, const config::MetricCatalogue& catalogue) {
  const auto left = names_of(a.metric, catalogue);
  const auto right = names_of(b.metric, catalogue);
  const bool named = std::any_of(left.begin(), left.end(),
                                 [&](const std::string& name) { return contains(right, name); });
  const bool printed = a.backend.empty() || b.backend.empty() || glob_overlap(a.backend, b.backend);
  return named && printed && a.nodes_min <= b.nodes_max && b.nodes_min <= a.nodes_max &&
         compatible(a.parameters, b.parameters);
}

bool covers(const Selector& outer, const Selector& inner,
            const config::MetricCatalogue& catalogue) {
  const auto all = names_of(outer.metric, catalogue);
  const auto some = names_of(inner.metric, catalogue);
  const bool named = std::all_of(some.begin(), some.end(),
                                 [&](const std::string& name) { return contains(all, name); });
  const bool printed = outer.backend.empty() ||
                       (!inner.backend.empty() && model::glob_match(outer.backend, inner.backend));
  const bool placed = outer.nodes_min <= inner.nodes_min && outer.nodes_max >= inner.nodes_max;
  return named && printed && placed &&
         std::all_of(outer.parameters.begin(), outer.parameters.end(), [&](const auto& entry) {
           const auto other = inner.parameters.find(entry.first);
           return other != inner.parameters.end() && value_covers(entry.second, other->second);
         });
}

}  // namespace rackproof::lint
