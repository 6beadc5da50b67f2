#include "reports/model/inventory.hpp"

#include <set>
#include <string_view>

#include "reports/model/fact_name.hpp"

namespace rackproof::model {

std::optional<contract::Scalar> value_of(const NodeInventory& node, const std::string& fact) {
  const auto found = node.facts.find(fact);
  if (found == node.facts.end()) return std::nullopt;
  return found->second.value;
}

std::optional<double> number_of(const NodeInventory& node, const std::string& fact) {
  const auto value = value_of(node, fact);
  if (!value) return std::nullopt;
  if (const auto* real = std::get_if<double>(&*value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&*value)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<std::string> text_of(const NodeInventory& node, const std::string& fact) {
  const auto value = value_of(node, fact);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  return std::nullopt;
}

std::size_t gpus_of(const NodeInventory& node) {
  std::set<std::string_view> uuids;
  std::size_t unnamed = 0;
  for (const DeviceFacts& device : node.devices) {
    if (device.uuid.empty()) {
      ++unnamed;
    } else {
      uuids.insert(device.uuid);
    }
  }
  return uuids.size() + unnamed;
}

std::optional<std::string> gpus_out_of_reach(const NodeInventory& node) {
  std::string all;
  for (const char* fact : {fact_name::kGpuUnmanaged, fact_name::kGpuSilent}) {
    const auto text = text_of(node, fact);
    if (text) all += (all.empty() ? "" : ", ") + (fact + (" " + *text));
  }
  if (!all.empty()) return all;
  if (value_of(node, fact_name::kGpuDriver) && !value_of(node, fact_name::kGpuNvmlCount)) {
    return "gpu.driver is loaded and NVML does not answer";
  }
  return std::nullopt;
}

}  // namespace rackproof::model
