#include "reports/catalogue/fact_units.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "contract/unit.hpp"

namespace rackproof::catalogue {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// PCIe counts what it transfers, whatever the size.
constexpr Rule kTransfers = {"transfers_per_second", "Hz"};

// Rates of arithmetic are named by the type that is computed.
constexpr std::array kWithin = {Rule{"flops_int8", "OP/s"}, Rule{"flops_", "FLOP/s"}};

bool ends_in(std::string_view name, std::string_view words) {
  return !words.empty() && name.size() > words.size() && name.ends_with(words) &&
         name[name.size() - words.size() - 1] == '_';
}

// What is counted or numbered, and says so by no end of its name.
constexpr std::array<std::string_view, 50> kCounts = {"cache.llc_count",
                                                      "cache.llc_level",
                                                      "cgroup.cpus",
                                                      "cpu.cores",
                                                      "cpu.family",
                                                      "cpu.model_number",
                                                      "cpu.sockets",
                                                      "cpu.threads",
                                                      "cpu.usable_cores",
                                                      "cpu.usable_threads",
                                                      "gpu.cores",
                                                      "gpu.count",
                                                      "gpu.memory_bus_bits",
                                                      "gpu.numa_node",
                                                      "gpu.nvlinks",
                                                      "gpu.nvlinks_active",
                                                      "gpu.nvml_count",
                                                      "gpu.pcie_generation",
                                                      "gpu.pcie_generation_now",
                                                      "gpu.pcie_width",
                                                      "gpu.pcie_width_now",
                                                      "gpu.retired_pages_double",
                                                      "gpu.retired_pages_single",
                                                      "gpu.rows_remapped_corrected",
                                                      "gpu.rows_remapped_uncorrected",
                                                      "infiniband.count",
                                                      "kernel.numa_balancing",
                                                      "limit.open_files",
                                                      "limit.processes",
                                                      "load.over_15_minutes",
                                                      "load.over_1_minute",
                                                      "load.over_5_minutes",
                                                      "memory.channels",
                                                      "memory.errors_corrected",
                                                      "memory.errors_uncorrected",
                                                      "memory.module_slots",
                                                      "memory.modules",
                                                      "nic.count",
                                                      "nic.virtual_count",
                                                      "numa.count",
                                                      "numa.count_with_cpus",
                                                      "numa.count_with_memory",
                                                      "numa.node",
                                                      "nvlink.domain_gpus",
                                                      "processor.max_cstate",
                                                      "topology.cores",
                                                      "topology.llc_count",
                                                      "topology.numa_nodes",
                                                      "topology.sockets",
                                                      "topology.threads"};

}  // namespace

std::string_view unit_of_fact(std::string_view name) {
  if (ends_in(name, kTransfers.first)) return kTransfers.second;
  for (const contract::BaseUnit& unit : contract::kBaseUnits) {
    if (ends_in(name, unit.words)) return unit.name;
  }
  for (const auto& [part, unit] : kWithin) {
    if (name.find(part) != std::string_view::npos) return unit;
  }
  const bool counted = std::find(kCounts.begin(), kCounts.end(), name) != kCounts.end() ||
                       name.starts_with("memory.hugepages_");
  return counted ? "count" : "";
}

}  // namespace rackproof::catalogue
