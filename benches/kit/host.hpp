#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace rackproof::kit {

/// Where the kernel's files are: "/", but for tests, which lay out a machine of their own.
inline const std::filesystem::path kKernelFiles = "/";

/// Processors in a kernel list such as "0-3,8,10-11", in order; empty for text of another form.
std::vector<int> parse_cpu_list(std::string_view text);

/// Processors (operating-system numbers) that this process may run on.
std::vector<int> allowed_cpus();

/// A NUMA domain with the allowed processors in it (no entry where there is none).
struct NumaDomain {
  int index = 0;
  std::vector<int> cpus;
};
std::vector<NumaDomain> numa_domains();
std::vector<NumaDomain> numa_domains(const std::vector<int>& allowed,
                                     const std::filesystem::path& root);

/// Sum of the sizes of the distinct last-level caches that `cpus` reach. 0 when sysfs does not say.
std::int64_t last_level_cache_bytes(const std::vector<int>& cpus,
                                    const std::filesystem::path& root = kKernelFiles);

/// Bytes this process can still have: the least of /proc/meminfo MemAvailable and what is left
/// under the limit of each of its cgroups (v1 and v2), page cache that can be dropped counted as
/// free.
std::int64_t available_memory_bytes(const std::filesystem::path& root = kKernelFiles);

/// Binds the calling thread to one processor, or to several. Returns false when the kernel refuses.
bool bind_thread(int cpu);
bool bind_thread(const std::vector<int>& cpus);

/// Number of physical cores among `cpus` (SMT siblings counted once).
int physical_cores(const std::vector<int>& cpus, const std::filesystem::path& root = kKernelFiles);

/// One processor of each physical core among `cpus`, in order.
std::vector<int> one_cpu_per_core(const std::vector<int>& cpus,
                                  const std::filesystem::path& root = kKernelFiles);

}  // namespace rackproof::kit
