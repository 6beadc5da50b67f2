#include "reports/model/fact_units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rackproof::model {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// The end of a name says its unit, the longest one first.
constexpr std::array kEndings = {Rule{"_bytes_per_second", "B/s"},
                                 Rule{"_transfers_per_second", "Hz"},
                                 Rule{"_bytes", "B"},
                                 Rule{"_watts", "W"},
                                 Rule{"_hertz", "Hz"},
                                 Rule{"_celsius", "degC"},
                                 Rule{"_joules", "J"},
                                 Rule{"_seconds", "s"}};

// Rates of arithmetic are named by the type that is computed.
constexpr std::array kWithin = {Rule{"flops_int8", "OP/s"}, Rule{"flops_", "FLOP/s"}};

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
  for (const auto& [end, unit] : kEndings) {
    if (name.ends_with(end)) return unit;
  }
  for (const auto& [part, unit] : kWithin) {
    if (name.find(part) != std::string_view::npos) return unit;
  }
  const bool counted = std::find(kCounts.begin(), kCounts.end(), name) != kCounts.end() ||
                       name.starts_with("memory.hugepages_");
  return counted ? "count" : "";
}

}  // namespace rackproof::model
