#include "harness/recognise/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/recognise/recognise.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::recognise {
namespace {

using model::PlatformTable;
using Nodes = std::vector<const model::NodeInventory*>;

Nodes nodes_of(const model::Report& report, const std::string& table) {
  Nodes nodes;
  for (const model::NodeInventory& node : report.nodes) {
    const auto found = report.platform_of_host.find(node.host);
    if (found != report.platform_of_host.end() && found->second == table) nodes.push_back(&node);
  }
  return nodes;
}

/// The facts that a rule is about on one host, with what they belong to.
using Owners = std::vector<std::pair<std::string, const Facts*>>;

Owners owners_of(const std::string& fact, const model::NodeInventory& node) {
  const auto has = [&fact](const model::DeviceFacts& device) {
    return device.facts.contains(fact);
  };
  if (node.facts.contains(fact) || std::none_of(node.devices.begin(), node.devices.end(), has)) {
    return {{node.host, &node.facts}};
  }
  Owners owners;
  for (const model::DeviceFacts& device : node.devices) {
    owners.emplace_back(node.host + "/" + device.uuid, &device.facts);
  }
  return owners;
}

/// Who of the owners does not meet the rule, by what is there instead. All devices of a host are
/// the host.
std::map<std::string, std::vector<std::string>> unmet_of(const model::FactRule& rule,
                                                         const model::NodeInventory& node) {
  const Owners owners = owners_of(rule.fact, node);
  std::map<std::string, std::vector<std::string>> by_value;
  for (const auto& [label, facts] : owners) {
    if (holds(rule, *facts)) continue;
    by_value[contradiction(rule, *facts, node.host).have].push_back(label);
  }
  if (by_value.size() == 1 && by_value.begin()->second.size() == owners.size()) {
    by_value.begin()->second = {node.host};
  }
  return by_value;
}

bool is_known(const model::FactRule& rule, const model::NodeInventory& node) {
  const Owners owners = owners_of(rule.fact, node);
  return std::any_of(owners.begin(), owners.end(), [&rule](const auto& owner) {
    const auto fact = owner.second->find(rule.fact);
    return fact != owner.second->end() && fact->second.value;
  });
}

void add_unmet(const PlatformTable& table, const model::FactExpectation& expectation,
               const Nodes& nodes, std::vector<Unmet>& out) {
  std::map<std::string, std::size_t> by_value;
  for (const model::NodeInventory* node : nodes) {
    for (const auto& [have, labels] : unmet_of(expectation.rule, *node)) {
      const auto [at, fresh] = by_value.try_emplace(have, out.size());
      if (fresh) {
        Unmet unmet{table.id,
                    contradiction(expectation.rule, *node).want,
                    have,
                    is_known(expectation.rule, *node),
                    expectation.severity,
                    expectation.remedy};
        // That nobody can read it says nothing against the machine.
        if (!unmet.known && unmet.severity < model::Severity::kError) {
          unmet.severity = model::Severity::kInfo;
        }
        unmet.fact = expectation.rule.fact;
        out.push_back(std::move(unmet));
      }
      auto& hosts = out[at->second].hosts;
      hosts.insert(hosts.end(), labels.begin(), labels.end());
    }
  }
}

constexpr const char* kGpuCount = model::fact_name::kGpuNvmlCount;

/// What is there and what should be, without whom it is about.
std::string sentence_of(const Unmet& unmet) {
  const std::string have = unmet.known && unmet.fact == kGpuCount
                               ? unmet.have + (unmet.have == "1" ? " GPU" : " GPUs")
                               : unmet.fact + " is " + unmet.have;
  return fmt::format("{}; table {} requires {}", have, unmet.table, unmet.want);
}

model::Finding finding_of_unmet(const Unmet& unmet) {
  model::Finding finding;
  finding.id = model::finding_id::kExpectationUnmet;
  finding.severity = unmet.severity;
  finding.subject = model::host_names(unmet.hosts);
  finding.text = fmt::format("{}{}{}{}", sentence_of(unmet), unmet.remedy.empty() ? "" : "; ",
                             unmet.remedy, unmet.note);
  finding.evidence["fact"] = unmet.fact;
  return finding;
}

void apply_suppressions(const model::Report& report, Unmet& unmet) {
  model::Finding finding = finding_of_unmet(unmet);
  const std::size_t length = finding.text.size();
  model::suppress(finding, report.suite.suppress, report.run.began_utc);
  unmet.severity = finding.severity;
  unmet.note = finding.text.substr(length);
}

}  // namespace

std::vector<Unmet> unmet_expectations(const model::Report& report) {
  std::vector<Unmet> all;
  for (const PlatformTable& table : report.platforms) {
    if (table.expect.empty()) continue;
    const Nodes nodes = nodes_of(report, table.id);
    for (const model::FactExpectation& one : table.expect) add_unmet(table, one, nodes, all);
  }
  for (Unmet& unmet : all) apply_suppressions(report, unmet);
  std::stable_sort(all.begin(), all.end(),
                   [](const Unmet& a, const Unmet& b) { return a.severity > b.severity; });
  return all;
}

std::string to_text(const Unmet& unmet) {
  const bool count = unmet.known && unmet.fact == kGpuCount;
  return fmt::format("{}{}{}", model::host_names(unmet.hosts),
                     !count                    ? ": "
                     : unmet.hosts.size() == 1 ? " has "
                                               : " have ",
                     sentence_of(unmet));
}

std::vector<model::Finding> find_unmet(const model::Report& report) {
  std::vector<model::Finding> findings;
  for (const Unmet& unmet : unmet_expectations(report)) findings.push_back(finding_of_unmet(unmet));
  return findings;
}

}  // namespace rackproof::recognise
