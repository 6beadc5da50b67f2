#include "reports/openmetrics/device_series.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "reports/model/fact_name.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::openmetrics {
namespace {

void add_fact(Labels& labels, const char* label, const model::DeviceFacts& device,
              const char* fact) {
  const auto found = device.facts.find(fact);
  if (found == device.facts.end() || !found->second.value) return;
  labels.emplace_back(label, model::to_text(*found->second.value));
}

Labels facts_of(const std::string& host, const model::DeviceFacts& device) {
  Labels labels = {
      {"host", host}, {"device", device.uuid}, {"index", std::to_string(device.index)}};
  add_fact(labels, "pci", device, model::fact_name::kGpuPciAddress);
  add_fact(labels, "serial", device, model::fact_name::kGpuSerial);
  add_fact(labels, "model", device, model::fact_name::kGpuName);
  return labels;
}

}  // namespace

void add_devices(Families& families, const model::Report& report, const Told& told) {
  using Device = std::pair<std::string, std::string>;  // host and UUID
  std::set<Device> wanted;
  for (const model::Cell* cell : told.cells) {
    wanted.emplace(cell->subject.host, cell->subject.device);
  }
  std::set<Device> known;
  std::size_t left_out = 0;
  for (const model::NodeInventory& node : report.nodes) {
    for (const model::DeviceFacts& device : node.devices) {
      const Device name(node.host, device.uuid);
      if (device.uuid.empty() || !known.insert(name).second) continue;
      if (!told.all && !wanted.contains(name)) {
        ++left_out;
        continue;
      }
      families.add("rackproof_device_info", "", "Where a device is, and what it is.",
                   facts_of(node.host, device), 1);
    }
  }
  families.add("rackproof_devices_left_out", "",
               "Devices without a series that says what they are.", {},
               static_cast<double>(left_out));
}

}  // namespace rackproof::openmetrics
