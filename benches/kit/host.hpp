#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rackproof::kit {

/// Processors (operating-system numbers) that this process may run on.
std::vector<int> allowed_cpus();

/// A NUMA domain with the allowed processors in it (no entry where there is none).
struct NumaDomain {
  int index = 0;
  std::vector<int> cpus;
};
std::vector<NumaDomain> numa_domains();

/// Sum of the sizes of the distinct last-level caches that `cpus` reach. 0 when sysfs does not say.
std::int64_t last_level_cache_bytes(const std::vector<int>& cpus);

/// Bytes this process can still have: the least of /proc/meminfo MemAvailable and what is left under
/// the cgroup's limit (v1 and v2).
std::int64_t available_memory_bytes();

/// Binds the calling thread to one processor. Returns false when the kernel refuses.
bool bind_thread(int cpu);

/// Number of physical cores among `cpus` (SMT siblings counted once).
int physical_cores(const std::vector<int>& cpus);

/// One processor of each physical core among `cpus`, in order.
std::vector<int> one_cpu_per_core(const std::vector<int>& cpus);

}  // namespace rackproof::kit
