#include "harness/cause/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/cause/site.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cause {
namespace {

using contract::SubjectKind;
using model::Cell;
using model::Outcome;

using Place = std::pair<std::string, std::string>;  // a host, and a device or nothing

using Matter =
    std::pair<std::string, std::string>;  // the id of a finding, and the fact it is about
using Measured = std::tuple<std::string, std::string, contract::Parameters>;  // step, metric

Measured measurement_of(const Cell& cell) { return {cell.step, cell.metric, cell.parameters}; }

Matter matter_of(const model::Finding& finding) {
  const auto fact = finding.evidence.find("fact");
  return {finding.id, fact == finding.evidence.end() ? "" : model::to_text(fact->second)};
}

// A host that was recorded, and a measurement that was over before the next sample.
constexpr const char* kNoSample = "no sample was taken in that time";

bool wants_explanation(const Cell& cell) {
  return cell.verdict.outcome == Outcome::kFail || cell.verdict.outcome == Outcome::kUntested;
}

std::set<std::string> hosts_of(const model::Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return {subject.host};
    case SubjectKind::kLink:
      return {subject.host, subject.peer_host};
    case SubjectKind::kGroup:
      return {subject.members.begin(), subject.members.end()};
  }
  return {};
}

/// Devices that the subject names on a host itself.
std::set<std::string> named_devices(const model::Subject& subject, const std::string& host) {
  std::set<std::string> devices;
  if (subject.host == host && !subject.device.empty()) devices.insert(subject.device);
  if (subject.peer_host == host && !subject.peer_device.empty()) {
    devices.insert(subject.peer_device);
  }
  return devices;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return model::glob_match(pattern, text); });
}

class Explainer {
 public:
  explicit Explainer(const model::Report& report) : report_(report), sites_(report) {
    for (const model::StepInfo& step : report.steps) backend_[step.id] = step.backend;
    for (const model::RecordingInfo& one : report.recordings) {
      std::string& why = problem_[one.host];
      if (why.empty()) why = one.problem;
    }
  }

  std::vector<model::Cause> of(const Cell& cell) {
    const std::vector<Place> places = places_of(cell);
    std::vector<model::Cause> causes;
    if (places.empty()) return causes;  // nobody ever tried it
    const auto& rules = report_.cause_table.rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!concerns(rules[i], cell)) continue;
      if (auto cause = apply(i, cell, places)) causes.push_back(std::move(*cause));
    }
    if (causes.empty()) causes.push_back(silence(cell, places));
    return causes;
  }

 private:
  /// Where the cell was tried: each host, and the devices that took part there.
  std::vector<Place> places_of(const Cell& cell) const {
    std::vector<Place> places;
    for (const std::string& host : hosts_of(cell.subject)) {
      const auto& attempts = sites_.attempts(cell.step, host);
      if (attempts.empty()) continue;
      places.emplace_back(host, "");
      std::set<std::string> devices = named_devices(cell.subject, host);
      if (devices.empty()) devices = devices_of(attempts, cell.subject);
      for (const std::string& device : devices) places.emplace_back(host, device);
    }
    return places;
  }

  static std::set<std::string> devices_of(const std::vector<const model::Attempt*>& attempts,
                                          const model::Subject& subject) {
    std::set<std::string> devices;
    for (const model::Attempt* attempt : attempts) {
      const bool other_group = subject.kind == SubjectKind::kGroup &&
                               attempt->subject.kind == SubjectKind::kGroup &&
                               subject.group != attempt->subject.group;
      if (!other_group) devices.insert(model::device_of(*attempt));
    }
    devices.erase("");
    return devices;
  }

  bool concerns(const model::CauseRule& rule, const Cell& cell) const {
    if (!fits_any(rule.metrics, cell.metric)) return false;
    const auto backend = backend_.find(cell.step);
    return fits_any(rule.backends, backend == backend_.end() ? "" : backend->second) &&
           fits_any(rule.outcomes, std::string(contract::word(cell.verdict.outcome)));
  }

  std::optional<model::Cause> apply(std::size_t rule, const Cell& cell,
                                    const std::vector<Place>& places) {
    const Hit* best = nullptr;
    std::size_t count = 0;
    for (const auto& [host, device] : places) {
      const auto& hits = sites_.at(cell.step, host, device).hits[rule];
      const auto hit = std::find_if(hits.begin(), hits.end(), [&](const Hit& one) {
        return one.finding == nullptr || !told_of_good_ones(cell).contains(matter_of(*one.finding));
      });
      if (hit == hits.end()) continue;
      ++count;
      if (best == nullptr || hit->strength > best->strength) best = &*hit;
    }
    if (best == nullptr) return std::nullopt;
    std::string text = best->text;
    if (count > 1) text += fmt::format(" (and on {} more)", count - 1);
    return model::Cause{report_.cause_table.rules[rule].id, best->subject, std::move(text)};
  }

  void index_passed() {
    passed_.emplace();
    for (const Cell& cell : report_.cells) {
      if (model::is_right(cell.verdict.outcome)) (*passed_)[measurement_of(cell)].push_back(&cell);
    }
  }

  /// What findings tell of places where the same measurement passed: it explains no failure.
  const std::set<Matter>& told_of_good_ones(const Cell& failed) {
    if (!passed_) index_passed();
    const auto [matters, fresh] = told_.try_emplace(measurement_of(failed));
    if (!fresh) return matters->second;
    for (const Cell* cell : (*passed_)[measurement_of(failed)]) {
      for (const auto& [host, device] : places_of(*cell)) {
        for (const auto& hits : sites_.at(cell->step, host, device).hits) {
          for (const Hit& hit : hits) {
            if (hit.finding != nullptr) matters->second.insert(matter_of(*hit.finding));
          }
        }
      }
    }
    return matters->second;
  }

  /// What is said when no rule fits. Where devices worked, their series are what counts.
  model::Cause silence(const Cell& cell, const std::vector<Place>& places) {
    std::set<std::string> dark;
    std::set<std::string> hosts;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& [host, device] = places[i];
      hosts.insert(host);
      const bool has_devices =
          device.empty() && i + 1 < places.size() && places[i + 1].first == host;
      if (!has_devices && !sites_.at(cell.step, host, device).recorded) dark.insert(host);
    }
    const std::vector<std::string> names(dark.begin(), dark.end());
    if (names.empty()) return {model::kNoCauseSeen, "", "no cause seen"};
    if (names.size() < hosts.size()) {
      return {model::kNoCauseSeen, "", "no cause seen; not recorded: " + model::host_names(names)};
    }
    const auto problem = problem_.find(names.front());
    if (problem == problem_.end()) return {model::kNotRecorded, "", "not recorded"};
    return {model::kNotRecorded, "",
            "not recorded: " + (problem->second.empty() ? kNoSample : problem->second)};
  }

  const model::Report& report_;
  Sites sites_;
  std::map<std::string, std::string> backend_;  ///< by step
  /// By host with a recording, why it has nothing; empty: there was just no sample.
  std::map<std::string, std::string> problem_;
  std::optional<std::map<Measured, std::vector<const Cell*>>> passed_;
  std::map<Measured, std::set<Matter>> told_;
};

}  // namespace

void explain(model::Report& report) {
  for (Cell& cell : report.cells) cell.causes.clear();
  if (report.cause_table.rules.empty()) return;
  Explainer explainer(report);
  for (Cell& cell : report.cells) {
    if (wants_explanation(cell)) cell.causes = explainer.of(cell);
  }
}

}  // namespace rackproof::cause
