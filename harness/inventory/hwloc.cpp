#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

Topology load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Topology topology(raw);
  return hwloc_topology_load(topology.get()) == 0 ? std::move(topology) : nullptr;
}

void fill(const std::string& name, std::int64_t value, FactSheet& sheet) {
  const model::Fact* fact = sheet.find(name);
  if (value > 0 && (!fact || !fact->value)) sheet.put(name, value, "hwloc");
}

void put_last_level(hwloc_topology_t topology, FactSheet& sheet) {
  for (const auto type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
    const int count = hwloc_get_nbobjs_by_type(topology, type);
    if (count <= 0) continue;
    std::int64_t total = 0;
    std::int64_t largest = 0;
    for (int i = 0; i < count; ++i) {
      const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i));
      const auto size = static_cast<std::int64_t>(cache->attr->cache.size);
      total += size;
      largest = std::max(largest, size);
    }
    sheet.put(fact_name::kTopologyLlcCount, std::int64_t{count}, "hwloc");
    sheet.put(fact_name::kTopologyLlcTotalBytes, total, "hwloc");
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
    fill(fact_name::kCacheLlcLevel, first->attr->cache.depth, sheet);
    fill(fact_name::kCacheLlcCount, count, sheet);
    fill(fact_name::kCacheLlcBytes, largest, sheet);
    fill(fact_name::kCacheLlcTotalBytes, total, sheet);
    return;
  }
}

}  // namespace

void collect_hwloc(const FileTree& tree, FactSheet& sheet) {
  const std::array<std::pair<const char*, hwloc_obj_type_t>, 4> kinds = {{
      {fact_name::kTopologySockets, HWLOC_OBJ_PACKAGE},
      {fact_name::kTopologyCores, HWLOC_OBJ_CORE},
      {fact_name::kTopologyThreads, HWLOC_OBJ_PU},
      {fact_name::kTopologyNumaNodes, HWLOC_OBJ_NUMANODE},
  }};
  const Topology topology = tree.live() ? load() : nullptr;
  if (!topology) {
    const std::string why = tree.live() ? "hwloc could not read the machine"
                                        : "the files of another machine are being read";
    for (const auto& [name, type] : kinds) sheet.missing(name, "hwloc", why);
    return;
  }
  for (const auto& [name, type] : kinds) {
    sheet.put(name, std::int64_t{hwloc_get_nbobjs_by_type(topology.get(), type)}, "hwloc");
  }
  // hwloc shows what the process may use, so these are lower bounds in a container.
  const auto count = [&](hwloc_obj_type_t type) {
    return std::int64_t{hwloc_get_nbobjs_by_type(topology.get(), type)};
  };
  fill(fact_name::kCpuSockets, count(HWLOC_OBJ_PACKAGE), sheet);
  fill(fact_name::kCpuCores, count(HWLOC_OBJ_CORE), sheet);
  fill(fact_name::kCpuUsableCores, count(HWLOC_OBJ_CORE), sheet);
  fill(fact_name::kCpuThreads, count(HWLOC_OBJ_PU), sheet);
  put_last_level(topology.get(), sheet);
}

}  // namespace rackproof::inventory
