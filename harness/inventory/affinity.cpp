#include <algorithm>
#include <map>
#include <sstream>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kPciDevices = "/sys/bus/pci/devices";
const std::string kInfinibandAdapters = "/sys/class/infiniband";
const std::string kNetworkAdapters = "/sys/class/net";

using Way = std::vector<std::string>;

/// The bridges on the way to a device and the device: "pci0000:17", "0000:17:01.0", ...
Way way_to(const FileTree& tree, const std::string& link) {
  std::istringstream parts(tree.link_target(link).value_or(""));
  Way way;
  std::string part;
  while (std::getline(parts, part, '/')) {
    // The same device is reached by links of different depth: what is before the bus is left out.
    if (part.rfind("pci", 0) == 0) way.clear();
    if (!part.empty() && part != "..") way.push_back(part);
  }
  return way;
}

std::size_t shared(const Way& a, const Way& b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(ends.first - a.begin());
}

/// Adapters by name, each with its way. A link device -> ../../../0000:18:00.0 names the device,
/// whose own link has the way.
std::map<std::string, Way> adapters(const FileTree& tree) {
  std::map<std::string, Way> found;
  const bool infiniband = !tree.names(kInfinibandAdapters).empty();
  const std::string& folder = infiniband ? kInfinibandAdapters : kNetworkAdapters;
  for (const std::string& name : tree.names(folder)) {
    const auto address = tree.link_name(folder + "/" + name + "/device");
    if (!address) continue;
    Way way = way_to(tree, kPciDevices + "/" + *address);
    if (!way.empty()) found.emplace(name, std::move(way));
  }
  return found;
}

model::Fact near_adapters(const Way& gpu, const std::map<std::string, Way>& adapters) {
  std::size_t most = 0;
  for (const auto& [name, way] : adapters) most = std::max(most, shared(gpu, way));
  if (most == 0)
    return {std::nullopt, kPciDevices, "no network adapter is on the same root of the bus"};
  std::string names;
  for (const auto& [name, way] : adapters) {
    if (shared(gpu, way) == most) names += (names.empty() ? "" : " ") + name;
  }
  return {contract::Scalar{names}, kPciDevices + ": bridges in common", ""};
}

}  // namespace

void collect_affinity(const FileTree& tree, std::vector<model::DeviceFacts>& devices) {
  const std::map<std::string, Way> known = adapters(tree);
  for (model::DeviceFacts& device : devices) {
    const auto address = device.facts.find(fact_name::kGpuPciAddress);
    if (address == device.facts.end() || !address->second.value) continue;
    const std::string folder = kPciDevices + "/" + model::to_text(*address->second.value);
    FactSheet sheet;
    const auto node = tree.integer(folder + "/numa_node");
    if (node && *node >= 0) {
      sheet.put(fact_name::kGpuNumaNode, std::int64_t{*node}, folder + "/numa_node");
    } else {
      sheet.missing(fact_name::kGpuNumaNode, folder + "/numa_node",
                    node ? "the firmware gives no NUMA node" : "not readable");
    }
    device.facts.insert(sheet.facts().begin(), sheet.facts().end());
    device.facts[fact_name::kGpuNearAdapters] = near_adapters(way_to(tree, folder), known);
  }
}

}  // namespace rackproof::inventory
