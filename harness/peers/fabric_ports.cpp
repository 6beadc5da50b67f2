#include "harness/peers/fabric_ports.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "reports/model/fact_name.hpp"

namespace rackproof::peers {
namespace {

constexpr std::string_view kFabric = "fabric.";

std::string* field_of(FabricPort& port, std::string_view what) {
  if (what == "leaf") return &port.leaf;
  if (what == "leaf_port") return &port.leaf_port;
  if (what == "rail") return &port.rail;
  if (what == "cable_serial") return &port.cable_serial;
  return nullptr;
}

/// "mlx5_0" of "mlx5_0.port2"
bool is_of(const FabricPort& port, const std::string& adapter) {
  return port.nic == adapter || port.nic.starts_with(adapter + ".port");
}

/// Whether it has an adapter of which the topology says nothing.
bool has_unplaced(const model::NodeInventory& node) {
  for (auto at = node.facts.lower_bound(std::string(kFabric));
       at != node.facts.end() && at->first.starts_with(kFabric); ++at) {
    if (!at->second.value) return true;
  }
  return false;
}

std::string only_word(const std::string& words) {
  std::istringstream in(words);
  std::string first;
  std::string second;
  in >> first;
  return in >> second ? "" : first;
}

/// Of one end of a link, if that is one port and its place is known.
std::string end_text(const model::Report& report, const std::string& host,
                     const std::string& device) {
  for (const model::NodeInventory& node : report.nodes) {
    if (node.host != host) continue;
    const auto gpu = std::find_if(node.devices.begin(), node.devices.end(),
                                  [&](const auto& one) { return one.uuid == device; });
    const auto ports = ports_used(node, gpu == node.devices.end() ? nullptr : &*gpu);
    return ports.size() == 1 && !ports.front().leaf.empty() ? host + ": " + text_of(ports.front())
                                                            : "";
  }
  return "";
}

}  // namespace

std::vector<FabricPort> fabric_ports(const model::NodeInventory& node) {
  std::map<std::string, FabricPort> ports;
  for (auto at = node.facts.lower_bound(std::string(kFabric));
       at != node.facts.end() && at->first.starts_with(kFabric); ++at) {
    const std::string_view name = std::string_view(at->first).substr(kFabric.size());
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || !at->second.value) continue;
    const std::string nic(name.substr(0, dot));
    FabricPort& port = ports[nic];
    port.nic = nic;
    if (std::string* field = field_of(port, name.substr(dot + 1))) {
      *field = model::to_text(*at->second.value);
    }
  }
  std::vector<FabricPort> all;
  for (auto& [nic, port] : ports) all.push_back(std::move(port));
  return all;
}

std::vector<FabricPort> ports_used(const model::NodeInventory& node,
                                   const model::DeviceFacts* gpu) {
  std::vector<FabricPort> known = fabric_ports(node);
  if (gpu == nullptr) {
    const bool alone = known.size() == 1 && !has_unplaced(node);
    return alone ? known : std::vector<FabricPort>{};
  }
  const auto near = gpu->facts.find(model::fact_name::kGpuNearAdapters);
  if (near == gpu->facts.end() || !near->second.value) return {};
  const std::string adapter = only_word(model::to_text(*near->second.value));
  if (adapter.empty()) return {};
  std::vector<FabricPort> used;
  for (FabricPort& port : known) {
    if (is_of(port, adapter)) used.push_back(std::move(port));
  }
  // Interfaces of which no topology speaks may be for anything, RDMA adapters are for this.
  if (used.empty() && node.facts.contains("infiniband." + adapter + ".node_guid")) {
    used.push_back({adapter, "", "", "", ""});
  }
  return used;
}

std::string text_of(const FabricPort& port) {
  std::string text = "NIC " + port.nic;
  if (!port.rail.empty()) text += ", rail " + port.rail;
  if (!port.leaf.empty()) text += ", " + port.leaf;
  if (!port.leaf_port.empty()) {
    text += (port.leaf.empty() ? ", port " : " port ") + port.leaf_port;
  }
  if (!port.cable_serial.empty()) text += ", cable " + port.cable_serial;
  return text;
}

std::string ends_text(const model::Report& report, const model::Subject& subject) {
  if (subject.kind != contract::SubjectKind::kLink || subject.host == subject.peer_host) return "";
  const std::string one = end_text(report, subject.host, subject.device);
  const std::string other = end_text(report, subject.peer_host, subject.peer_device);
  return one.empty() || other.empty() ? "" : " (" + one + "; " + other + ")";
}

}  // namespace rackproof::peers
