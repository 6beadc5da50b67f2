#include "harness/compare/sample.hpp"

#include <cmath>
#include <optional>
#include <set>

#include "reports/model/cell_text.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::compare {
namespace {

using Facts = std::map<std::string, std::string>;
using Of = config::ComparisonRule::Of;

// Facts that must differ tell parts apart and explain nothing; neither do those that no rule names.
bool may_explain(const config::ComparisonRules& table, Of of, const std::string& name) {
  for (const config::ComparisonRule& rule : table) {
    if (rule.of == of && model::glob_match(rule.fact, name)) {
      return rule.must == config::ComparisonRule::Must::kAgree;
    }
  }
  return false;
}

void add_facts(Facts& to, const std::map<std::string, model::Fact>& facts,
               const config::ComparisonRules& table, Of of) {
  for (const auto& [name, fact] : facts) {
    if (fact.value && may_explain(table, of, name)) to[name] = model::to_text(*fact.value);
  }
}

// What is the same for all subjects of a report.
Facts facts_of_run(const model::Report& report) {
  Facts facts;
  facts["rackproof.version"] = report.tool.version;
  facts["rackproof.commit"] = report.tool.commit;
  facts["suite.digest"] = report.suite.digest;
  facts["launcher"] = report.run.launcher;
  facts["ranks"] = std::to_string(report.run.ranks);
  for (const auto& [key, value] : report.run.labels) facts["label." + key] = value;
  for (const auto& [key, value] : report.tool.build) facts["build." + key] = value;
  for (const auto& [key, value] : report.tool.bench_sha256) facts["bench." + key] = value;
  return facts;
}

// Libraries that the attempts of a step found, of its subjects' own processes.
void add_libraries(const model::Report& report, std::map<std::string, Facts>& of_host) {
  for (const model::Attempt& attempt : report.attempts) {
    for (const auto& [name, version] : attempt.libraries) {
      of_host[attempt.host]["library." + name] = version;
    }
  }
}

// The facts that all of some hosts have in common.
Facts common(const std::vector<std::string>& hosts, const std::map<std::string, Facts>& of_host) {
  std::optional<Facts> shared;
  for (const std::string& host : hosts) {
    const auto found = of_host.find(host);
    if (found == of_host.end()) return {};
    if (!shared) {
      shared = found->second;
      continue;
    }
    std::erase_if(*shared, [&](const auto& fact) {
      const auto other = found->second.find(fact.first);
      return other == found->second.end() || other->second != fact.second;
    });
  }
  return shared.value_or(Facts());
}

std::vector<std::string> hosts_of(const model::Subject& subject) {
  if (!subject.members.empty()) return subject.members;
  std::vector<std::string> hosts = {subject.host};
  if (!subject.peer_host.empty()) hosts.push_back(subject.peer_host);
  return hosts;
}

}  // namespace

Sample sample_of(const model::Report& report, const config::ComparisonRules& table,
                 std::string name) {
  Sample sample;
  sample.name = std::move(name);
  sample.run = report.run.id;
  sample.began_utc = report.run.began_utc;
  sample.suite = report.suite.id;
  sample.suite_digest = report.suite.digest;
  sample.acceptance = report.acceptance;

  const Facts of_run = facts_of_run(report);
  std::map<std::string, Facts> of_host;
  std::map<std::string, Facts> of_device;
  for (const model::NodeInventory& node : report.nodes) {
    add_facts(of_host[node.host], node.facts, table, Of::kNode);
    for (const model::DeviceFacts& device : node.devices) {
      add_facts(of_device[device.uuid], device.facts, table, Of::kDevice);
    }
  }
  add_libraries(report, of_host);
  for (const auto& [host, platform] : report.platform_of_host) {
    of_host[host][kPlatformFact] = platform;
  }

  for (const model::Cell& cell : report.cells) {
    if (!cell.evidence_utc.empty()) {
      ++sample.measured_before;
      continue;
    }
    const auto& observed = cell.verdict.observed;
    if (!observed || !std::isfinite(*observed) || !(*observed > 0)) {
      ++sample.without_number;
      continue;
    }
    const std::string subject = model::label(cell.subject);
    Numbers& numbers = sample.numbers[{cell.step, cell.metric, model::to_text(cell.parameters),
                                       model::unit_of(cell), cell.subject.kind}];
    if (!cell.measurements.empty()) numbers.better = cell.measurements.back().better;
    numbers.of[subject] = *observed;
    const auto [facts, fresh] = sample.facts_of.try_emplace(subject);
    if (!fresh) continue;
    facts->second = common(hosts_of(cell.subject), of_host);
    if (const auto device = of_device.find(cell.subject.device); device != of_device.end()) {
      facts->second.insert(device->second.begin(), device->second.end());
    }
    facts->second.insert(of_run.begin(), of_run.end());
  }
  return sample;
}

}  // namespace rackproof::compare
