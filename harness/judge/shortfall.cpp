#include "harness/judge/shortfall.hpp"

#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace rackproof::judge {
namespace {

using model::Extent;
using model::NodeInventory;
using model::Severity;

constexpr std::size_t kNamedAtOnce = 6;

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::int64_t gpus_of(const std::vector<const NodeInventory*>& nodes) {
  std::int64_t gpus = 0;
  for (const NodeInventory* node : nodes) gpus += static_cast<std::int64_t>(model::gpus_of(*node));
  return gpus;
}

std::vector<const NodeInventory*> nodes_judged_by(const model::Report& report,
                                                  const std::string& table = "") {
  std::vector<const NodeInventory*> nodes;
  for (const NodeInventory& node : report.nodes) {
    const auto judged_by = report.platform_of_host.find(node.host);
    const bool counts =
        table.empty() || (judged_by != report.platform_of_host.end() && judged_by->second == table);
    if (counts) nodes.push_back(&node);
  }
  return nodes;
}

void compare_count(const char* what, std::int64_t there, const std::optional<std::int64_t>& meant,
                   const std::string& by, std::vector<std::string>& out) {
  if (!meant || there == *meant) return;
  out.push_back(fmt::format("{} of {} {} that {} expects {} there", there, *meant, what, by,
                            there == 1 ? "is" : "are"));
}

/// Hosts that were left out are there; what is in them nobody looked at.
void compare_counts(const Extent& extent, const model::Report& report, const std::string& by,
                    std::vector<std::string>& out) {
  const std::size_t left_out = report.run.left_out_hosts.size();
  compare_count("hosts", static_cast<std::int64_t>(report.nodes.size() + left_out), extent.hosts,
                by, out);
  if (left_out == 0) compare_count("GPUs", gpus_of(nodes_judged_by(report)), extent.gpus, by, out);
}

std::string serial_of(const model::DeviceFacts& device) {
  const auto fact = device.facts.find(model::fact_name::kGpuSerial);
  if (fact == device.facts.end() || !fact->second.value) return "";
  return model::to_text(*fact->second.value);
}

void compare_gpus(const model::Asset& asset, const NodeInventory& node,
                  std::vector<std::string>& out) {
  std::set<std::string> meant(asset.gpus.begin(), asset.gpus.end());
  std::vector<std::string> strangers;
  for (const model::DeviceFacts& device : node.devices) {
    if (meant.erase(device.uuid) + meant.erase(serial_of(device)) == 0) {
      strangers.push_back(device.uuid);
    }
  }
  if (!meant.empty()) {
    out.push_back(fmt::format("{} lacks GPU {} of the list of assets", node.host,
                              listed({meant.begin(), meant.end()}, kNamedAtOnce)));
  }
  if (!strangers.empty()) {
    out.push_back(fmt::format("{} has GPU {}, which the list of assets does not have", node.host,
                              listed(strangers, kNamedAtOnce)));
  }
}

void compare_serial(const model::Asset& asset, const NodeInventory& node,
                    std::vector<std::string>& out) {
  const auto fact = node.facts.find(model::fact_name::kMachineSerial);
  if (fact == node.facts.end() || !fact->second.value) {
    const bool told = fact != node.facts.end() && !fact->second.unreadable.empty();
    out.push_back(fmt::format("the serial number of {}, {} in the list of assets, is unknown{}",
                              node.host, asset.serial, told ? ": " + fact->second.unreadable : ""));
    return;
  }
  const std::string serial = model::to_text(*fact->second.value);
  if (serial == asset.serial) return;
  out.push_back(fmt::format("{} has the serial number {}, and the list of assets {}", node.host,
                            serial, asset.serial));
}

void compare_assets(const model::Report& report, std::vector<std::string>& out) {
  const std::vector<model::Asset>& assets = report.run.extent.assets;
  if (assets.empty()) return;
  std::vector<std::string> missing;
  std::vector<std::string> strangers;
  std::vector<std::string> of_parts;
  std::map<std::string, const NodeInventory*> node_of;
  for (const NodeInventory& node : report.nodes) node_of[node.host] = &node;
  const std::set<std::string> left_out(report.run.left_out_hosts.begin(),
                                       report.run.left_out_hosts.end());
  std::set<std::string> known;
  for (const model::Asset& asset : assets) {
    known.insert(asset.host);
    const auto node = node_of.find(asset.host);
    if (node == node_of.end()) {
      if (!left_out.contains(asset.host)) missing.push_back(asset.host);
      continue;
    }
    if (!asset.serial.empty()) compare_serial(asset, *node->second, of_parts);
    if (!asset.gpus.empty()) compare_gpus(asset, *node->second, of_parts);
  }
  for (const auto& [host, node] : node_of) {
    if (!known.contains(host)) strangers.push_back(host);
  }
  std::set_difference(left_out.begin(), left_out.end(), known.begin(), known.end(),
                      std::back_inserter(strangers));
  if (!missing.empty()) {
    out.push_back(fmt::format("{} of {} hosts of the list of assets are missing: {}",
                              missing.size(), assets.size(), listed(missing, kNamedAtOnce)));
  }
  if (!strangers.empty()) {
    out.push_back("the list of assets does not have " + listed(strangers, kNamedAtOnce));
  }
  out.insert(out.end(), of_parts.begin(), of_parts.end());
}

/// Machines of a table are counted in whole ones: two racks are no more wrong than one.
void compare_whole_machines(const model::PlatformTable& table, const model::Report& report,
                            std::vector<std::string>& out) {
  const auto nodes = nodes_judged_by(report, table.id);
  const auto is_whole = [](std::int64_t there, const std::optional<std::int64_t>& meant) {
    return !meant || (*meant == 0 ? there == 0 : there % *meant == 0);
  };
  const auto hosts = static_cast<std::int64_t>(nodes.size());
  const std::string by = "a whole machine of table " + table.id;
  if (hosts == 0) return;
  if (!is_whole(hosts, table.extent.hosts)) {
    compare_count("hosts", hosts, table.extent.hosts, by, out);
  }
  if (!is_whole(gpus_of(nodes), table.extent.gpus)) {
    compare_count("GPUs", gpus_of(nodes), table.extent.gpus, by, out);
  }
}

/// "2 of 18 hosts of the job were left out: gb-03, gb-04"; empty when none was.
std::string left_out_hosts(const model::Report& report, std::size_t named) {
  const std::vector<std::string>& hosts = report.run.left_out_hosts;
  if (hosts.empty()) return "";
  return fmt::format("{} of {} hosts of the job were left out: {}", hosts.size(),
                     report.nodes.size() + hosts.size(), listed(hosts, named));
}

/// "2 of 5 steps of the suite were run on some of the hosts alone: gemm, stream"; empty when none.
std::string partly_run(const model::Report& report, std::size_t named) {
  std::vector<std::string> ids;
  for (const model::StepInfo& step : report.steps) {
    if (!step.only_hosts.empty()) ids.push_back(step.id);
  }
  if (ids.empty()) return "";
  return fmt::format("{} of {} steps of the suite {} run on some of the hosts alone: {}",
                     ids.size(), report.steps.size(), ids.size() == 1 ? "was" : "were",
                     listed(ids, named));
}

std::vector<std::string> not_there(const model::Report& report) {
  std::vector<std::string> out;
  compare_counts(report.run.extent, report, "--expect", out);
  compare_assets(report, out);
  compare_counts(report.suite.extent, report, "suite " + report.suite.id, out);
  // Of which table those are that were left out is not known.
  if (!report.run.left_out_hosts.empty()) return out;
  for (const model::PlatformTable& table : report.platforms) {
    compare_whole_machines(table, report, out);
  }
  return out;
}

bool wants_recording(const NodeInventory& node, model::Recorded policy) {
  switch (policy) {
    case model::Recorded::kOptional:
      return false;
    case model::Recorded::kWithGpus:
      return !node.devices.empty();
    case model::Recorded::kAlways:
      return true;
  }
  return true;
}

/// Why what a host did in one part of the run is not known; empty: it was recorded from end to end.
std::string unrecorded(const model::Report& report, const std::string& host, int segment) {
  const auto found =
      std::find_if(report.recordings.begin(), report.recordings.end(),
                   [&](const auto& one) { return one.host == host && one.segment == segment; });
  if (found == report.recordings.end()) return "it was not recorded";
  if (!found->problem.empty()) return found->problem;
  if (!found->blind.empty()) {
    return "neither the kernel nor the driver could tell of errors of " +
           listed(found->blind, kNamedAtOnce);
  }
  if (!found->gap) return "";
  return "its recording ends " +
         (found->ends_utc.empty() ? std::string("at its start") : "at " + found->ends_utc);
}

/// Host and reason.
std::vector<std::pair<std::string, std::string>> unwatched(const model::Report& report) {
  std::map<std::string, std::set<int>> segments_of;
  for (const model::Attempt& attempt : report.attempts) {
    segments_of[attempt.host].insert(attempt.resumed + 1);
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (const NodeInventory& node : report.nodes) {
    if (!wants_recording(node, report.suite.policy.recorded)) continue;
    for (const int segment : segments_of[node.host]) {
      const std::string why = unrecorded(report, node.host, segment);
      if (why.empty()) continue;
      out.emplace_back(node.host, why);
      break;
    }
  }
  return out;
}

/// What differs in a segment from the one before it.
std::vector<std::string> changes(const model::SegmentInfo& before, const model::SegmentInfo& now) {
  std::vector<std::string> out;
  const auto own = [](const model::ToolInfo& tool) { return tool.version + " " + tool.commit; };
  if (own(before.tool) != own(now.tool)) {
    out.push_back(fmt::format("rackproof {}, before {}", own(now.tool), own(before.tool)));
  }
  std::set<std::string> names;
  for (const auto& [name, digest] : before.tool.bench_sha256) names.insert(name);
  for (const auto& [name, digest] : now.tool.bench_sha256) names.insert(name);
  for (const std::string& name : names) {
    const auto digest_in = [&name](const model::ToolInfo& tool) {
      const auto found = tool.bench_sha256.find(name);
      return found == tool.bench_sha256.end() ? "missing" : found->second.substr(0, 16);
    };
    const std::string then = digest_in(before.tool);
    const std::string later = digest_in(now.tool);
    if (then != later) out.push_back(fmt::format("{} {}, before {}", name, later, then));
  }
  if (before.suite_digest != now.suite_digest) out.emplace_back("another suite");
  for (const auto& [id, digest] : now.platforms) {
    const auto then = before.platforms.find(id);
    if (then == before.platforms.end() || then->second != digest) out.push_back("table " + id);
  }
  for (const auto& [host, id] : now.platform_of_host) {
    const auto then = before.platform_of_host.find(host);
    if (then != before.platform_of_host.end() && then->second != id) {
      out.push_back(fmt::format("{} judged by {}, before by {}", host, id, then->second));
    }
  }
  return out;
}

model::Finding finding_of(const char* id, Severity severity, std::string subject,
                          std::string text) {
  model::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.subject = std::move(subject);
  finding.text = std::move(text);
  return finding;
}

void add_changes(const model::Report& report, std::vector<model::Finding>& findings) {
  for (std::size_t i = 1; i < report.segments.size(); ++i) {
    const auto what = changes(report.segments[i - 1], report.segments[i]);
    if (what.empty()) continue;
    findings.push_back(
        finding_of(model::finding_id::kOtherPrograms, Severity::kWarning, "the run",
                   fmt::format("part {} of the run was made with others than part {}: {}",
                               report.segments[i].segment, report.segments[i - 1].segment,
                               listed(what, what.size()))));
  }
}

}  // namespace

std::string shortfall(const model::Report& report) {
  std::string text;
  const auto add = [&text](const std::string& why) { text += (text.empty() ? "" : "; ") + why; };
  for (const std::string& one : not_there(report)) add(one);
  if (const auto hosts = left_out_hosts(report, kNamedAtOnce); !hosts.empty()) add(hosts);
  if (const auto steps = model::left_out_steps(report); !steps.empty()) {
    add(fmt::format("{} of {} steps of the suite were left out: {}", steps.size(),
                    report.steps.size(), listed(steps, kNamedAtOnce)));
  }
  if (const auto steps = partly_run(report, kNamedAtOnce); !steps.empty()) add(steps);
  if (const auto hosts = unwatched(report); !hosts.empty()) {
    add(fmt::format("nobody watched the hardware of {}{}: {}", hosts.front().first,
                    hosts.size() > 1 ? fmt::format(" and {} more", hosts.size() - 1) : "",
                    hosts.front().second));
  }
  return text;
}

std::string unproven_gpu(const model::Report& report, const cells::JudgedCells& judged) {
  const bool meant = report.run.extent.gpus.value_or(0) > 0 ||
                     report.suite.extent.gpus.value_or(0) > 0 ||
                     std::any_of(report.run.extent.assets.begin(), report.run.extent.assets.end(),
                                 [](const auto& asset) { return !asset.gpus.empty(); });
  if (!meant) return "";
  std::set<std::string> passed;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const model::Subject& subject = judged.subject_of(i);
    if (!model::is_right(judged.summary(i).outcome)) continue;
    if (subject.kind == contract::SubjectKind::kDevice) {
      passed.insert(subject.host + "/" + subject.device);
    }
  }
  for (const NodeInventory& node : report.nodes) {
    for (const model::DeviceFacts& device : node.devices) {
      const std::string label = node.host + "/" + device.uuid;
      if (!passed.contains(label)) return "no cell about " + label + " passes, which is expected";
    }
  }
  return "";
}

std::vector<model::Finding> find_shortfalls(const model::Report& report) {
  std::vector<model::Finding> findings;
  for (const std::string& one : not_there(report)) {
    findings.push_back(
        finding_of(model::finding_id::kNotAllThere, Severity::kError, "the run", one));
  }
  const std::size_t left_out = report.run.left_out_hosts.size();
  if (const auto hosts = left_out_hosts(report, left_out); !hosts.empty()) {
    findings.push_back(
        finding_of(model::finding_id::kPartialSelection, Severity::kWarning, "the run", hosts));
  }
  if (const auto steps = model::left_out_steps(report); !steps.empty()) {
    findings.push_back(
        finding_of(model::finding_id::kPartialSelection, Severity::kWarning, "the run",
                   fmt::format("{} of {} steps of the suite were left out: {}", steps.size(),
                               report.steps.size(), listed(steps, steps.size()))));
  }
  if (const auto steps = partly_run(report, report.steps.size()); !steps.empty()) {
    findings.push_back(
        finding_of(model::finding_id::kPartialSelection, Severity::kWarning, "the run", steps));
  }
  for (const auto& [host, why] : unwatched(report)) {
    findings.push_back(finding_of(
        model::finding_id::kUnwatched, Severity::kError, host,
        fmt::format("nobody watched the hardware of {}, and the suite demands it: {}", host, why)));
  }
  add_changes(report, findings);
  return findings;
}

}  // namespace rackproof::judge
