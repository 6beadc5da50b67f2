#include "harness/assemble/hidden_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/model/finding_id.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::assemble {
namespace {

constexpr const char* kFact = "environment.dropped.CUDA_VISIBLE_DEVICES";

// How many devices CUDA shows at most: it stops at the first word that names none.
std::size_t shown_by(std::string_view visible) {
  std::size_t shown = 0;
  while (!visible.empty()) {
    const std::size_t length = std::min(visible.find(','), visible.size());
    const std::string_view word = visible.substr(0, length);
    const auto first = word.find_first_not_of(' ');
    if (first == std::string_view::npos || word[first] == '-') break;
    ++shown;
    visible.remove_prefix(std::min(length + 1, visible.size()));
  }
  return shown;
}

}  // namespace

void note_hidden_devices(model::Report& report) {
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> hosts_of;
  for (const model::NodeInventory& node : report.nodes) {
    const auto value = model::value_of(node, kFact);
    if (!value) continue;
    const std::string visible = model::to_text(*value);
    const std::size_t devices = node.devices.size();
    if (shown_by(visible) < devices) hosts_of[{visible, devices}].push_back(node.host);
  }
  for (const auto& [what, hosts] : hosts_of) {
    const auto& [visible, devices] = what;
    model::Finding finding;
    finding.id = model::finding_id::kVisibleDevices;
    finding.severity = model::Severity::kWarning;
    finding.subject = model::host_names(hosts);
    finding.text = fmt::format(
        "CUDA_VISIBLE_DEVICES={} would hide GPUs: at most {} of {} are seen with it; the benches "
        "ran "
        "without it, on every GPU of the inventory",
        visible, shown_by(visible), devices);
    finding.evidence["fact"] = std::string(kFact);
    report.findings.push_back(std::move(finding));
  }
}

}  // namespace rackproof::assemble
