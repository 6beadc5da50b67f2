#include "harness/cause/condition.hpp"

#include <utility>

#include "reports/catalogue/fact_words.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::cause {
namespace {

using model::CauseCondition;
using model::Fact;

/// A whole name and what its `*` stands for, as in "nic.*.pcie_width".
std::optional<std::string> captured(const std::string& pattern, const std::string& name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos)
    return pattern == name ? std::optional(std::string()) : std::nullopt;
  const std::string after = pattern.substr(star + 1);
  if (name.size() < pattern.size() - 1 || name.compare(0, star, pattern, 0, star) != 0 ||
      !name.ends_with(after)) {
    return std::nullopt;
  }
  return name.substr(star, name.size() - star - after.size());
}

std::optional<double> number_of(const contract::Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

const contract::Scalar* value_in(const Scene& scene, const std::string& name) {
  if (scene.facts == nullptr) return nullptr;
  const auto found = scene.facts->find(name);
  return found == scene.facts->end() || !found->second.value ? nullptr : &*found->second.value;
}

/// What a threshold is multiplied by; nothing when the fact is not known.
std::optional<double> factor_of(const CauseCondition& condition, const Scene& scene,
                                const std::string& star) {
  if (condition.of.empty()) return 1;
  std::string name = condition.of;
  if (const auto at = name.find('*'); at != std::string::npos) name.replace(at, 1, star);
  const contract::Scalar* const value = value_in(scene, name);
  return value == nullptr ? std::nullopt : number_of(*value);
}

/// True when the number is beyond the limits, which `proof` then tells.
bool is_beyond(const CauseCondition& condition, double value, double factor,
               const std::string& unit, Evidence& evidence) {
  const bool over = !condition.above || value > *condition.above * factor;
  const bool under = !condition.below || value < *condition.below * factor;
  if (!over || !under || (!condition.above && !condition.below)) return false;
  const double limit = (condition.above ? *condition.above : *condition.below) * factor;
  evidence.strength = condition.above ? value - limit : limit - value;
  evidence.value = catalogue::in_words(value, unit);
  evidence.limit = catalogue::in_words(limit, unit);
  return true;
}

std::optional<Evidence> evidence_of_series(const CauseCondition& condition, const Scene& scene,
                                           const model::SeriesSummary& series) {
  Evidence evidence;
  evidence.subject = scene.device.empty() ? series.subject : "";
  if (condition.statistic == "missing") {
    if (series.missing.empty() || !model::glob_match(condition.is, series.missing)) return {};
    evidence.value = series.missing;
    return evidence;
  }
  const auto value = statistic_of(series, condition.statistic, condition.bit);
  const auto factor = factor_of(condition, scene, series.subject);
  const std::string unit = condition.statistic == "share" ? "ratio" : series.unit;
  if (!value || !factor || !is_beyond(condition, *value, *factor, unit, evidence)) return {};
  return evidence;
}

std::optional<Evidence> evidence_of_fact(const CauseCondition& condition, const Scene& scene,
                                         const std::string& name, const contract::Scalar& value,
                                         const std::string& star) {
  Evidence evidence;
  evidence.subject = star;
  if (condition.above || condition.below) {
    const auto number = number_of(value);
    const auto factor = factor_of(condition, scene, star);
    if (!number || !factor || !is_beyond(condition, *number, *factor, "1", evidence)) return {};
    // In the words of the fact, whose name tells the unit.
    evidence.limit = catalogue::fact_in_words(
        name, (condition.above ? *condition.above : *condition.below) * *factor);
  } else {
    const std::string text = model::to_text(value);
    if (!condition.is.empty() && !model::glob_match(condition.is, text)) return {};
    if (!condition.is_not.empty() && model::glob_match(condition.is_not, text)) return {};
  }
  evidence.value = catalogue::fact_in_words(name, value);
  return evidence;
}

void keep_stronger(std::optional<Evidence>& best, std::optional<Evidence> other) {
  if (other && (!best || other->strength > best->strength)) best = std::move(other);
}

std::optional<Evidence> best_series(const CauseCondition& condition, const Scene& scene) {
  std::optional<Evidence> best;
  if (scene.attempt == nullptr) return best;
  for (const model::SeriesSummary& series : scene.attempt->recorded) {
    if (!counts(series, scene) || !model::glob_match(condition.series, series.name)) continue;
    keep_stronger(best, evidence_of_series(condition, scene, series));
  }
  return best;
}

std::optional<Evidence> best_fact(const CauseCondition& condition, const Scene& scene) {
  if (condition.fact.find('*') == std::string::npos) {
    const contract::Scalar* const value = value_in(scene, condition.fact);
    return value == nullptr ? std::nullopt
                            : evidence_of_fact(condition, scene, condition.fact, *value, "");
  }
  std::optional<Evidence> best;
  if (scene.facts == nullptr) return best;
  for (const auto& [name, fact] : *scene.facts) {
    const auto star = captured(condition.fact, name);
    if (star && fact.value) {
      keep_stronger(best, evidence_of_fact(condition, scene, name, *fact.value, *star));
    }
  }
  return best;
}

std::optional<Evidence> evidence_of_finding(const CauseCondition& condition, const Scene& scene) {
  if (scene.findings == nullptr) return std::nullopt;
  for (const model::Finding* finding : *scene.findings) {
    if (!model::glob_match(condition.finding, finding->id)) continue;
    const auto fact = finding->evidence.find("fact");
    const std::string about = fact == finding->evidence.end() ? "" : model::to_text(fact->second);
    if (!condition.about.empty() && !model::glob_match(condition.about, about)) continue;
    Evidence evidence;
    evidence.value = about;
    evidence.finding = finding->text;
    return evidence;
  }
  return std::nullopt;
}

// The gravest one; of several, the first.
std::optional<Evidence> evidence_of_event(const CauseCondition& condition, const Scene& scene) {
  if (scene.events == nullptr) return std::nullopt;
  const model::Event* gravest = nullptr;
  for (const model::Event* event : *scene.events) {
    if (!model::glob_match(condition.event, event->kind)) continue;
    if (!condition.is.empty() && !model::glob_match(condition.is, event->text)) continue;
    if (gravest == nullptr || event->severity > gravest->severity) gravest = event;
  }
  if (gravest == nullptr) return std::nullopt;
  Evidence evidence;
  evidence.strength = static_cast<double>(gravest->severity);
  evidence.value = gravest->text;
  evidence.subject = scene.device.empty() ? gravest->device : "";
  return evidence;
}

}  // namespace

bool counts(const model::SeriesSummary& series, const Scene& scene) {
  return scene.device.empty() ? !series.name.starts_with("gpu.") : series.subject == scene.device;
}

std::optional<double> statistic_of(const model::SeriesSummary& series, const std::string& name,
                                   const std::string& bit) {
  if (name == "min") return series.min;
  if (name == "median") return series.median;
  if (name == "p95") return series.p95;
  if (name == "max") return series.max;
  if (name == "delta") return series.delta;
  if (name != "share" || series.samples == 0) return std::nullopt;
  const auto found = series.shares.find(bit);
  return found == series.shares.end() ? 0 : found->second;
}

std::optional<Evidence> find_evidence(const model::CauseCondition& condition, const Scene& scene) {
  if (!condition.series.empty()) return best_series(condition, scene);
  if (!condition.fact.empty()) return best_fact(condition, scene);
  if (!condition.finding.empty()) return evidence_of_finding(condition, scene);
  if (!condition.event.empty()) return evidence_of_event(condition, scene);
  return std::nullopt;
}

}  // namespace rackproof::cause
