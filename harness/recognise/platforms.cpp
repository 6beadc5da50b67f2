#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

#include "harness/recognise/recognise.hpp"

#include "reports/model/finding_id.hpp"

// Which table judges which host, and what a reader must know about it.
namespace rackproof::recognise {
namespace {

using model::Finding;
using model::NodeInventory;
using model::PlatformTable;
using Hosts = std::vector<std::string>;

constexpr std::array<std::string_view, 5> kChoiceFindings = {
    model::finding_id::kAmbiguousPlatform, model::finding_id::kMixedPlatforms,
    model::finding_id::kPlatformUnrecognised, model::finding_id::kPlatformForced,
    model::finding_id::kPlatformContradicted};

Finding warning(const char* id, std::string subject, std::string text) {
  Finding finding;
  finding.id = id;
  finding.severity = model::Severity::kWarning;
  finding.subject = std::move(subject);
  finding.text = std::move(text);
  return finding;
}

std::string table_text(const std::string& id) {
  return id.empty() ? "no table" : fmt::format("table {}", id);
}

/// What of a table a node meets; the fewer rules fail the nearer it is, then the more hold.
struct Nearness {
  const PlatformTable* table = nullptr;
  std::size_t failed = 0;
  std::size_t held = 0;
  Contradiction first;
};

Nearness nearness(const PlatformTable& table, const NodeInventory& node) {
  Nearness near;
  near.table = &table;
  for (const model::FactRule& rule : table.recognise) {
    if (holds(rule, node)) {
      ++near.held;
    } else if (near.failed++ == 0) {
      near.first = contradiction(rule, node);
    }
  }
  return near;
}

/// "the closest table is h200-hgx: gpu.nvml_count is 7; the table requires 8".
std::string nearest_text(const NodeInventory& node, const std::vector<PlatformTable>& tables) {
  Nearness best;
  for (const PlatformTable& table : tables) {
    if (table.generic || table.is_abstract || table.recognise.empty()) continue;
    if (is_for_selection(table)) continue;
    const Nearness near = nearness(table, node);
    if (near.held == 0 || near.failed == 0) continue;
    if (best.table == nullptr || near.failed < best.failed ||
        (near.failed == best.failed && near.held > best.held)) {
      best = near;
    }
  }
  if (best.table == nullptr) return "no table comes close";
  return fmt::format("the closest table is {}: {} is {}; the table requires {}{}", best.table->id,
                     best.first.fact, best.first.have, best.first.want,
                     best.failed > 1 ? fmt::format(" ({} more rules fail)", best.failed - 1) : "");
}

/// One finding for each table other than that of most hosts. Without a majority, one for all.
void add_mixed(const std::map<std::string, std::string>& of_host, std::vector<Finding>& out) {
  std::map<std::string, Hosts> by_table;
  for (const auto& [host, id] : of_host) by_table[id].push_back(host);
  if (by_table.size() < 2) return;
  const auto most = std::max_element(
      by_table.begin(), by_table.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const bool majority = 2 * most->second.size() > of_host.size();
  if (!majority) {
    std::string text = "its hosts are of several platforms and none has most of them";
    for (const auto& [id, hosts] : by_table) {
      text += fmt::format("; {}: {}", table_text(id), model::host_names(hosts));
    }
    out.push_back(warning(model::finding_id::kMixedPlatforms, "the cluster", text));
    return;
  }
  for (const auto& [id, hosts] : by_table) {
    if (id == most->first) continue;
    out.push_back(warning(
        model::finding_id::kMixedPlatforms, model::host_names(hosts),
        fmt::format("{} fits {}, while {} fits {} of {} hosts; cells of a group or link over both "
                    "kinds are unjudged",
                    table_text(id), hosts.size() == 1 ? "it" : "them", table_text(most->first),
                    most->second.size(), of_host.size())));
  }
}

/// The same sentence for many hosts is said once.
class Unrecognised {
 public:
  void add(const std::string& table, const std::string& why, const std::string& host) {
    hosts_[{table, why}].push_back(host);
  }

  void say(std::vector<Finding>& out) const {
    for (const auto& [key, hosts] : hosts_) {
      const auto& [table, why] = key;
      const std::string judged =
          table.empty() ? "so its cells cannot be judged"
                        : "so only generic checks apply: correct answers, agreement among peers, "
                          "and fractions of peaks that the inventory computes";
      out.push_back(warning(model::finding_id::kPlatformUnrecognised,
                            table.empty() ? model::host_names(hosts) : table,
                            fmt::format("no table of a particular machine fits {}, {}; {}",
                                        model::host_names(hosts), judged, why)));
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, Hosts> hosts_;
};

}  // namespace

bool is_choice_finding(const std::string& id) {
  return std::find(kChoiceFindings.begin(), kChoiceFindings.end(), id) != kChoiceFindings.end();
}

PlatformChoice choose_platforms(const std::vector<NodeInventory>& nodes,
                                const std::vector<PlatformTable>& tables) {
  PlatformChoice choice;
  std::map<std::string, std::string> table_of;
  Unrecognised unrecognised;
  for (const NodeInventory& node : nodes) {
    const Recognition found = recognise(node, tables);
    table_of[node.host] = found.table == nullptr ? "" : found.table->id;
    if (found.table != nullptr) choice.of_host[node.host] = found.table->id;
    if (!found.ambiguous.empty()) {
      choice.findings.push_back(
          warning(model::finding_id::kAmbiguousPlatform, node.host,
                  "more than one platform table fits, so none is chosen: " + found.ambiguous));
    } else if (found.table == nullptr || found.table->generic) {
      unrecognised.add(table_of[node.host], nearest_text(node, tables), node.host);
    }
  }
  unrecognised.say(choice.findings);
  add_mixed(table_of, choice.findings);
  return choice;
}

PlatformChoice force_platform(const std::vector<NodeInventory>& nodes, const PlatformTable& table,
                              const std::string& how) {
  PlatformChoice choice;
  choice.findings.push_back(warning(model::finding_id::kPlatformForced, table.id, how));
  std::map<std::string, Hosts> by_rule;
  for (const Contradiction& one : contradictions(table, nodes)) {
    by_rule[fmt::format("{} is {}; the table requires {}", one.fact, one.have, one.want)].push_back(
        one.host);
  }
  for (const auto& [rule, hosts] : by_rule) {
    choice.findings.push_back(
        warning(model::finding_id::kPlatformContradicted, model::host_names(hosts),
                fmt::format("judged by table {} all the same: {}", table.id, rule)));
  }
  for (const NodeInventory& node : nodes) choice.of_host[node.host] = table.id;
  return choice;
}

}  // namespace rackproof::recognise
