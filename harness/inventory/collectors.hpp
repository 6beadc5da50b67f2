#pragma once

#include <string>
#include <vector>

#include "harness/inventory/fact_sheet.hpp"
#include "harness/inventory/file_tree.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/inventory/microarchitecture.hpp"

namespace rackproof::inventory {

// Each collector reads one part of the machine below the tree's root and puts its facts. None
// throws for something that cannot be read. The order matters where a collector says so.

/// cpu.*, cache.*: /proc/cpuinfo, /sys/devices/system/cpu.
void collect_cpu(const FileTree& tree, FactSheet& sheet);
void collect_caches(const FileTree& tree, FactSheet& sheet);
/// numa.*: /sys/devices/system/node.
void collect_numa(const FileTree& tree, FactSheet& sheet);
/// memory.*: /proc/meminfo and /sys/kernel/mm. Totals come from /proc/meminfo alone: hwloc and node
/// files can be wrong for memory that was added while the machine ran.
void collect_memory(const FileTree& tree, FactSheet& sheet);
/// memory.module_slots, memory.modules, memory.module_bytes, memory.speed_transfers_per_second: the
/// firmware's tables, which often only root may read. memory.errors_*: EDAC.
void collect_memory_modules(const FileTree& tree, FactSheet& sheet);
/// cpu.vulnerability.*, cpu.isolated, cpu.nohz_full, cpu.smt_control, cpu.idle_driver, module.*,
/// time.*
void collect_kernel_state(const FileTree& tree, FactSheet& sheet);
/// host.*, os.*, kernel.*, machine.*, load.*
void collect_system(const FileTree& tree, FactSheet& sheet);
/// limit.*: /proc/self/limits. cgroup.*: versions 1 and 2, the tightest of all levels.
void collect_limits(const FileTree& tree, FactSheet& sheet);
/// nic.*: interfaces with hardware behind them, and bonds; virtual ones are counted and named.
void collect_nics(const FileTree& tree, FactSheet& sheet);
/// infiniband.*: /sys/class/infiniband.
void collect_infiniband(const FileTree& tree, FactSheet& sheet);
/// gpu.*: what the PCI bus shows, without any driver library.
void collect_gpus(const FileTree& tree, FactSheet& sheet);
/// Devices, and gpu.driver_version, gpu.cuda_version, gpu.nvml_count, gpu.name,
/// gpu.compute_capability, gpu.pci_id, gpu.memory_bytes, nvlink.domain (each kind once, joined by
/// ", "), gpu.silent, gpu.unmanaged: what NVML shows. `nvml` is the library to load; empty asks
/// nobody. After collect_gpus: a GPU that PCI shows and NVML does not is named.
/// One that does not answer in time is given up: see left_waiting().
std::vector<model::DeviceFacts> collect_devices(const std::string& nvml, FactSheet& sheet,
                                                double seconds = kNvmlSeconds);
/// gpu.numa_node and gpu.near_adapters of each device that has gpu.pci_address: where it is, and
/// the network adapters that share the most of its way on the PCI bus.
void collect_affinity(const FileTree& tree, std::vector<model::DeviceFacts>& devices);
/// library.*: of this process's machine; unreadable below another root.
void collect_libraries(const FileTree& tree, FactSheet& sheet);
/// topology.*: hwloc's own view, as a second opinion, and cpu and cache facts that sysfs did not
/// give. After collect_cpu and collect_caches; unreadable below another root.
void collect_hwloc(const FileTree& tree, FactSheet& sheet);
/// cpu.microarchitecture, cpu.peak_flops_fp64, cpu.peak_flops_fp32. After the cpu, limits and
/// hwloc.
void compute_peaks(const FileTree& tree, FactSheet& sheet);
/// memory.channels, memory.peak_bytes_per_second: of a machine that is not virtual and whose cores
/// are all usable. After the cpu, memory modules, limits and hwloc.
void compute_memory_peak(const FileTree& tree, FactSheet& sheet);

/// environment.*, process.is_root: what this process was started with and as whom. Taken by a child
/// of the harness, it is what benches get. Nothing below another root.
void collect_environment(const FileTree& tree, FactSheet& sheet);
bool runs_as_root(const FileTree& tree);

/// How the processor names itself in the text of /proc/cpuinfo.
CpuIdentity identity_from(const std::string& cpuinfo);

}  // namespace rackproof::inventory
