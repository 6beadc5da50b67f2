#include "reports/openmetrics/device_series.hpp"

#include <set>

#include "reports/model/scalar.hpp"

namespace rackproof::openmetrics {
namespace {

void add_fact(Labels& labels, const char* label, const model::DeviceFacts& device,
              const char* fact) {
  const auto found = device.facts.find(fact);
  if (found == device.facts.end() || !found->second.value) return;
  labels.emplace_back(label, model::to_text(*found->second.value));
}

}  // namespace

void add_devices(Families& families, const model::Report& report) {
  for (const model::NodeInventory& node : report.nodes) {
    std::set<std::string> known;
    for (const model::DeviceFacts& device : node.devices) {
      if (device.uuid.empty() || !known.insert(device.uuid).second) continue;
      Labels labels = {
          {"host", node.host}, {"device", device.uuid}, {"index", std::to_string(device.index)}};
      add_fact(labels, "pci", device, "gpu.pci_address");
      add_fact(labels, "serial", device, "gpu.serial");
      add_fact(labels, "model", device, "gpu.name");
      families.add("rackproof_device_info", "", "Where a device is, and what it is.", labels, 1);
    }
  }
}

}  // namespace rackproof::openmetrics
