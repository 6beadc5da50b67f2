#include "harness/inventory/inventory.hpp"

#include <utility>

#include "harness/inventory/collectors.hpp"
#include "harness/nvml/library.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {

model::NodeInventory collect(const std::string& root, double nvml_seconds) {
  const FileTree tree(root);
  FactSheet sheet;
  collect_system(tree, sheet);
  collect_cpu(tree, sheet);
  collect_caches(tree, sheet);
  collect_numa(tree, sheet);
  collect_memory(tree, sheet);
  collect_memory_modules(tree, sheet);
  collect_kernel_state(tree, sheet);
  collect_limits(tree, sheet);
  collect_nics(tree, sheet);
  collect_infiniband(tree, sheet);
  collect_gpus(tree, sheet);
  // Before a thread may hang in the driver: it would hold what is needed to load a library.
  collect_libraries(tree, sheet);
  std::vector<model::DeviceFacts> devices =
      collect_devices(tree.live() ? nvml::kFile : "", sheet, nvml_seconds);
  collect_affinity(tree, devices);
  collect_hwloc(tree, sheet);
  compute_peaks(tree, sheet);
  compute_memory_peak(tree, sheet);
  collect_environment(tree, sheet);
  model::NodeInventory node;
  node.host = sheet.text(model::fact_name::kHostName).value_or("unknown-host");
  node.facts = sheet.facts();
  node.devices = std::move(devices);
  return node;
}

}  // namespace rackproof::inventory
