#include "harness/inventory/inventory.hpp"

#include <fmt/format.h>

#include "harness/cli/inventory_check.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/job/run_request.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::cli {
namespace {

std::string table(const std::map<std::string, model::Fact>& facts) {
  std::string out;
  std::size_t width = 0;
  for (const auto& [name, fact] : facts) width = std::max(width, name.size());
  for (const auto& [name, fact] : facts) {
    const std::string value =
        fact.value ? model::to_text(*fact.value) : "not readable: " + fact.unreadable;
    out += fmt::format("  {:<{}}  {}  [{}]\n", name, width, value, fact.source);
  }
  return out;
}

std::string table(const model::NodeInventory& node) {
  std::string out = node.host + "\n" + table(node.facts);
  for (const auto& device : node.devices) {
    out += fmt::format("device {}, {}\n", device.index, device.uuid) + table(device.facts);
  }
  return out;
}

}  // namespace

int inventory_verb(const InventoryOptions& options, const Program& program) {
  if (options.check) return check_inventories(options, program);
  const model::NodeInventory node =
      inventory::collect(options.sysroot, job::parse_seconds(options.nvml_deadline));
  print(options.json || options.record ? model::to_json_line(node) + "\n" : table(node));
  return 0;
}

}  // namespace rackproof::cli
