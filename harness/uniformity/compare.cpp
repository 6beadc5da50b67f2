#include "harness/uniformity/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::uniformity {
namespace {

using config::ComparisonRule;
using model::DeviceFacts;
using model::Fact;
using model::Finding;
using model::NodeInventory;
using model::Severity;

constexpr std::size_t kLongestShown = 160;
constexpr const char* kUuid = model::fact_name::kGpuUuid;

using Facts = std::map<std::string, Fact>;

/// A fact of one host, or of one of its devices.
struct Entry {
  std::string host;
  std::string device;  ///< UUID; empty for the host itself
  std::string value;   ///< as it is told to people
  std::optional<double> number;
  bool known = false;
};
using Entries = std::vector<Entry>;

std::string shown(const std::string& value) {
  return value.size() <= kLongestShown ? value : value.substr(0, kLongestShown) + "...";
}

std::optional<double> number_of(const contract::Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

Entry entry_of(const Facts& facts, const std::string& name, const std::string& host,
               const std::string& device) {
  const auto found = facts.find(name);
  if (found == facts.end()) return {host, device, "not there", {}, false};
  const Fact& fact = found->second;
  if (!fact.value) return {host, device, "not readable (" + fact.unreadable + ")", {}, false};
  return {host, device, model::to_text(*fact.value), number_of(*fact.value), true};
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

/// Every node with facts, by host.
using Nodes = std::vector<const NodeInventory*>;

Nodes known_nodes(const std::vector<NodeInventory>& nodes) {
  Nodes known;
  for (const NodeInventory& node : nodes) {
    if (!node.facts.empty()) known.push_back(&node);
  }
  std::stable_sort(known.begin(), known.end(),
                   [](const auto* a, const auto* b) { return a->host < b->host; });
  return known;
}

void add_names(const std::string& pattern, const Facts& facts, std::set<std::string>& names) {
  for (const auto& [name, fact] : facts) {
    if (model::glob_match(pattern, name)) names.insert(name);
  }
}

/// The facts that a rule is about, as far as anybody has them.
std::set<std::string> names_for(const ComparisonRule& rule, const Nodes& nodes) {
  std::set<std::string> names;
  if (!is_pattern(rule.fact)) return {rule.fact};
  for (const NodeInventory* node : nodes) {
    if (rule.of == ComparisonRule::Of::kNode) add_names(rule.fact, node->facts, names);
    if (rule.of == ComparisonRule::Of::kNode) continue;
    for (const DeviceFacts& device : node->devices) add_names(rule.fact, device.facts, names);
  }
  return names;
}

/// What is to be compared with each other, by what makes it alike.
std::map<std::string, Entries> groups_for(const ComparisonRule& rule, const std::string& name,
                                          const Nodes& nodes,
                                          const std::map<std::string, std::string>& platforms) {
  std::map<std::string, Entries> groups;
  const bool all = rule.among == ComparisonRule::Among::kAll;
  const auto add = [&](const std::string& kind, const Facts& facts, const std::string& host,
                       const std::string& device) {
    if (is_pattern(rule.fact) && !facts.contains(name)) return;
    groups[all ? "" : kind].push_back(entry_of(facts, name, host, device));
  };
  for (const NodeInventory* node : nodes) {
    if (rule.of == ComparisonRule::Of::kNode) {
      const auto platform = platforms.find(node->host);
      add(platform == platforms.end() ? "" : platform->second, node->facts, node->host, "");
      continue;
    }
    for (const DeviceFacts& device : node->devices) {
      add(entry_of(device.facts, model::fact_name::kGpuName, "", "").value, device.facts,
          node->host, device.uuid);
    }
  }
  return groups;
}

/// Numbers near the median of all become that value.
void level(Entries& entries, double tolerance) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const Entry& entry : entries) {
    if (entry.number) numbers.emplace_back(*entry.number, entry.value);
  }
  if (!(tolerance > 0) || numbers.empty()) return;
  std::sort(numbers.begin(), numbers.end());
  const auto [median, text] = numbers[numbers.size() / 2];
  for (Entry& entry : entries) {
    if (entry.number && std::abs(*entry.number - median) <= tolerance * std::abs(median)) {
      entry.value = text;
    }
  }
}

/// "node1, node2": hosts of which every entry is among `odd`, else their devices.
std::string subject_of(const Entries& all, const std::vector<const Entry*>& odd) {
  std::map<std::string, std::size_t> of_host;
  for (const Entry& entry : all) ++of_host[entry.host];
  std::map<std::string, std::vector<const Entry*>> odd_of_host;
  for (const Entry* entry : odd) odd_of_host[entry->host].push_back(entry);
  std::vector<std::string> labels;
  for (const auto& [host, entries] : odd_of_host) {
    if (entries.size() == of_host[host] && (entries.size() > 1 || entries[0]->device.empty())) {
      labels.push_back(host);
      continue;
    }
    for (const Entry* entry : entries) labels.push_back(host + "/" + entry->device);
  }
  return model::host_names(labels);
}

class Comparer {
 public:
  Comparer(const ComparisonRule& rule, std::vector<Finding>& out) : rule_(rule), out_(out) {}

  void agree(const std::string& name, Entries entries) {
    if (entries.size() < 2) return;
    level(entries, rule_.tolerance);
    std::map<std::string, std::vector<const Entry*>> by_value;
    for (const Entry& entry : entries) by_value[entry.value].push_back(&entry);
    if (by_value.size() < 2) return;
    const auto most = std::max_element(
        by_value.begin(), by_value.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    const std::string what = entries.front().device.empty() ? "hosts" : "devices";
    if (2 * most->second.size() <= entries.size()) {
      add_split(name, entries, by_value);
      return;
    }
    for (const auto& [value, odd] : by_value) {
      if (value == most->first) continue;
      Finding& finding = add(name, odd.front()->known && most->second.front()->known);
      finding.subject = subject_of(entries, odd);
      finding.text =
          fmt::format("{} is {}{}, and {} on {} of {} {}; {}", name, shown(value),
                      odd.size() > 1 ? fmt::format(" on {} {}", odd.size(), what) : "",
                      shown(most->first), most->second.size(), entries.size(), what, rule_.remedy);
      finding.evidence["value"] = value;
      finding.evidence["majority"] = most->first;
    }
  }

  /// The same value on several hosts, each set of hosts once.
  void differ(const std::map<std::string, Entries>& by_name) {
    std::map<std::string, std::pair<std::string, std::set<std::string>>> holders;
    for (const auto& [name, entries] : by_name) {
      for (const Entry& entry : entries) {
        if (!entry.known) continue;
        holders.try_emplace(entry.value, name, std::set<std::string>{})
            .first->second.second.insert(entry.host);
      }
    }
    std::map<std::set<std::string>, std::vector<std::pair<std::string, std::string>>> shared;
    for (const auto& [value, who] : holders) {
      if (who.second.size() > 1) shared[who.second].emplace_back(who.first, value);
    }
    for (const auto& [hosts, values] : shared) {
      Finding& finding = add(values.front().first, true);
      finding.id = model::finding_id::kIdentityShared;
      finding.subject = model::host_names({hosts.begin(), hosts.end()});
      finding.text = fmt::format(
          "{} is {} on {} hosts{}; {}", values.front().first, shown(values.front().second),
          hosts.size(),
          values.size() > 1 ? fmt::format(", and so are {} more", values.size() - 1) : "",
          rule_.remedy);
      finding.evidence["value"] = values.front().second;
    }
  }

 private:
  Finding& add(const std::string& name, bool known) {
    Finding finding;
    finding.id = model::finding_id::kConfigMismatch;
    finding.severity = known ? rule_.severity : std::min(rule_.severity, Severity::kWarning);
    finding.evidence["fact"] = name;
    return out_.emplace_back(std::move(finding));
  }

  void add_split(const std::string& name, const Entries& entries,
                 const std::map<std::string, std::vector<const Entry*>>& by_value) {
    const bool known =
        std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.known; });
    std::vector<const Entry*> all;
    for (const Entry& entry : entries) all.push_back(&entry);
    Finding& finding = add(name, known);
    finding.subject = subject_of(entries, all);
    std::string values;
    for (const auto& [value, who] : by_value) {
      values += fmt::format("{}{} on {}", values.empty() ? "" : "; ", shown(value),
                            subject_of(entries, who));
      finding.evidence["value"] = value;
    }
    finding.text = fmt::format("{} is not the same, and no value has a majority: {}; {}", name,
                               values, rule_.remedy);
  }

  const ComparisonRule& rule_;
  std::vector<Finding>& out_;
};

/// UUIDs are no facts of a device but what it is known by.
Entries uuids(const Nodes& nodes) {
  Entries entries;
  for (const NodeInventory* node : nodes) {
    for (const DeviceFacts& device : node->devices) {
      entries.push_back({node->host, device.uuid, device.uuid, {}, true});
    }
  }
  return entries;
}

void apply(const ComparisonRule& rule, const Nodes& nodes,
           const std::map<std::string, std::string>& platforms, std::vector<Finding>& out) {
  Comparer comparer(rule, out);
  std::map<std::string, Entries> by_name;
  if (rule.fact == kUuid) {
    by_name[kUuid] = uuids(nodes);
    comparer.differ(by_name);
    return;
  }
  for (const std::string& name : names_for(rule, nodes)) {
    for (auto& [kind, entries] : groups_for(rule, name, nodes, platforms)) {
      if (rule.must == ComparisonRule::Must::kAgree) {
        comparer.agree(name, std::move(entries));
      } else {
        std::move(entries.begin(), entries.end(), std::back_inserter(by_name[name]));
      }
    }
  }
  if (rule.must == ComparisonRule::Must::kDiffer) comparer.differ(by_name);
}

}  // namespace

std::vector<Finding> compare(const std::vector<NodeInventory>& nodes,
                             const std::map<std::string, std::string>& platform_of_host,
                             const config::ComparisonRules& rules) {
  const Nodes known = known_nodes(nodes);
  std::vector<Finding> findings;
  for (const ComparisonRule& rule : rules) apply(rule, known, platform_of_host, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

}  // namespace rackproof::uniformity
