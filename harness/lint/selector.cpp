#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/document/nearest.hpp"
#include "harness/lint/rules.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::lint {
namespace {

std::string suggest(const std::string& word, const std::set<std::string>& known) {
  return document::suggestion(word, {known.begin(), known.end()});
}

// A slip of a known name is an error: what it was meant for goes unjudged. A metric of a bench
// whose list is not installed is not.
void complain_of_metric(const Scene& scene, const std::string& pattern, const Where& where) {
  const auto names = names_of("*", scene.catalogue);
  const std::string near = document::nearest(pattern, {names.begin(), names.end()});
  const std::string family = pattern.substr(0, pattern.find('.') + 1);
  const bool known = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return !family.empty() && name.starts_with(family);
  });
  std::string text = fmt::format("no bench prints a metric '{}'", pattern);
  if (!near.empty()) text += fmt::format("; did you mean '{}'?", near);
  if (known || !near.empty()) {
    scene.complain(where({"metric"}), std::move(text));
  } else {
    scene.warn(where({"metric"}), std::move(text));
  }
}

bool check_backend(const Scene& scene, const Selector& selector, const Where& where) {
  if (selector.backend.empty()) return true;
  std::set<std::string> backends;
  for (const auto* kind : kinds_of({selector.metric, {}, ""}, scene.catalogue)) {
    backends.insert(kind->backends.begin(), kind->backends.end());
  }
  const bool known = std::any_of(backends.begin(), backends.end(), [&](const auto& backend) {
    return model::glob_match(selector.backend, backend);
  });
  if (!known) {
    scene.complain(where({"backend"}),
                   fmt::format("no backend '{}' prints '{}'{}", selector.backend, selector.metric,
                               suggest(selector.backend, backends)));
  }
  return known;
}

bool check_parameter(const Scene& scene, const Selector& selector, const std::string& name,
                     const contract::Scalar& value, const Where& where) {
  std::set<std::string> names;
  std::set<std::string> kinds;
  bool taken = false;
  for (const auto* kind : kinds_of({selector.metric, {}, selector.backend}, scene.catalogue)) {
    for (const auto& entry : kind->parameters) names.insert(entry.first);
    const auto found = kind->parameters.find(name);
    if (found == kind->parameters.end()) continue;
    taken = taken || config::takes(found->second, value);
    kinds.insert(config::description(found->second));
  }
  if (taken) return true;
  const config::Place place = where({"parameters", name});
  if (kinds.empty()) {
    scene.complain(place, fmt::format("'{}' has no parameter '{}'{}", selector.metric, name,
                                      suggest(name, names)));
  } else {
    scene.complain(place, fmt::format("'{}' has no '{}' of {}; expected {}", selector.metric, name,
                                      model::to_text(value), fmt::join(kinds, ", or ")));
  }
  return false;
}

}  // namespace

bool check_selector(const Scene& scene, const Selector& selector, const Where& where) {
  if (names_of(selector.metric, scene.catalogue).empty()) {
    complain_of_metric(scene, selector.metric, where);
    return false;
  }
  if (!check_backend(scene, selector, where)) return false;
  for (const auto& [name, value] : selector.parameters) {
    if (!check_parameter(scene, selector, name, value, where)) return false;
  }
  if (!kinds_of(selector, scene.catalogue).empty()) return true;
  scene.complain(where({"parameters"}),
                 fmt::format("no bench prints '{}' with {} together", selector.metric,
                             model::to_text(selector.parameters)));
  return false;
}

}  // namespace rackproof::lint
