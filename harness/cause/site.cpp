#include "harness/cause/site.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/cause/sentence.hpp"

namespace rackproof::cause {
namespace {

std::string label_of(const std::string& host, const std::string& device) {
  return device.empty() ? host : host + "/" + device;
}

std::string text_in(const model::Finding& finding, const char* name) {
  const auto found = finding.evidence.find(name);
  return found == finding.evidence.end() ? "" : model::to_text(found->second);
}

/// Nothing of it depends on which attempt it is.
bool is_timeless(const model::CauseRule& rule) {
  return std::none_of(rule.when.begin(), rule.when.end(), [](const auto& condition) {
    return !condition.series.empty() || !condition.event.empty();
  });
}

}  // namespace

Sites::Sites(const model::Report& report) : table_(report.cause_table) {
  for (const model::Attempt& attempt : report.attempts) {
    attempts_[{attempt.step, attempt.host}].push_back(&attempt);
  }
  for (const model::NodeInventory& node : report.nodes) {
    facts_.try_emplace({node.host, ""}, &node.facts);
    for (const model::DeviceFacts& device : node.devices) {
      facts_.try_emplace({node.host, device.uuid}, &device.facts);
    }
  }
  for (const model::Event& event : report.events) {
    const bool of_gpu = facts_.contains({event.host, event.device});
    for (const std::string& nonce : event.attempts) {
      events_[{nonce, of_gpu ? event.device : ""}].push_back(&event);
    }
  }
  for (const model::Finding& finding : report.findings) {
    std::vector<std::string> labels = model::named_hosts(finding.subject);
    if (const std::string host = text_in(finding, "host"); !host.empty()) {
      labels.push_back(label_of(host, text_in(finding, "device")));
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    for (const std::string& label : labels) findings_[label].push_back(&finding);
  }
}

const Sites::Attempts& Sites::attempts(const std::string& step, const std::string& host) const {
  static const Attempts none;
  const auto found = attempts_.find({step, host});
  return found == attempts_.end() ? none : found->second;
}

const Site& Sites::at(const std::string& step, const std::string& host, const std::string& device) {
  const auto [place, fresh] = sites_.try_emplace({step, host, device});
  if (fresh) place->second = look(step, host, device);
  return place->second;
}

std::optional<Hit> Sites::apply(const model::CauseRule& rule, const Attempts& attempts, Scene scene,
                                const std::string& label) const {
  const Attempts timeless = {nullptr};
  std::optional<Hit> best;
  for (const model::Attempt* attempt : is_timeless(rule) ? timeless : attempts) {
    scene.attempt = attempt;
    const auto events =
        attempt == nullptr ? events_.end() : events_.find({attempt->nonce, scene.device});
    scene.events = events == events_.end() ? nullptr : &events->second;
    std::optional<Evidence> first;
    bool all = !rule.when.empty();
    for (const model::CauseCondition& condition : rule.when) {
      auto evidence = find_evidence(condition, scene);
      all = all && evidence.has_value();
      if (!all) break;
      if (!first) first = std::move(evidence);
    }
    if (!all || (best && best->strength >= first->strength)) continue;
    best = Hit{first->strength, first->subject.empty() ? label : label + " " + first->subject,
               sentence(rule.say, scene, *first)};
  }
  return best;
}

std::vector<Hit> Sites::hits_of(const model::CauseRule& rule, const Attempts& attempts, Scene scene,
                                const std::string& label) const {
  std::vector<Hit> hits;
  const auto keep = [&](const model::Finding* finding) {
    if (auto hit = apply(rule, attempts, scene, label)) {
      hits.push_back(std::move(*hit));
      hits.back().finding = finding;
    }
  };
  if (rule.when.empty() || rule.when.front().finding.empty()) {
    keep(nullptr);
  } else if (scene.findings != nullptr) {
    for (const model::Finding* finding : *scene.findings) {
      const Findings one = {finding};
      scene.findings = &one;
      keep(finding);
    }
  }
  return hits;
}

Site Sites::look(const std::string& step, const std::string& host,
                 const std::string& device) const {
  const std::string label = label_of(host, device);
  Scene scene;
  scene.device = device;
  if (const auto facts = facts_.find({host, device}); facts != facts_.end()) {
    scene.facts = facts->second;
  }
  if (const auto found = findings_.find(label); found != findings_.end()) {
    scene.findings = &found->second;
  }
  const Attempts& own = attempts(step, host);
  Site site;
  // An attempt on another device was recorded without the series of this one.
  for (const model::Attempt* attempt : own) {
    site.recorded =
        site.recorded || std::any_of(attempt->recorded.begin(), attempt->recorded.end(),
                                     [&](const model::SeriesSummary& series) {
                                       return device.empty() ||
                                              (series.subject == device && series.samples > 0);
                                     });
  }
  std::map<std::string, bool> fits;
  for (const model::CauseRule& rule : table_.rules) {
    const bool mine = device.empty() ? rule.of == "node" : rule.of == "device";
    site.hits.push_back(mine ? hits_of(rule, own, scene, label) : std::vector<Hit>());
    fits[rule.id] = !site.hits.back().empty();
  }
  for (std::size_t i = 0; i < table_.rules.size(); ++i) {
    const auto& better = table_.rules[i].unless;
    if (std::any_of(better.begin(), better.end(), [&](const auto& id) { return fits[id]; })) {
      site.hits[i].clear();
    }
  }
  return site;
}

}  // namespace rackproof::cause
