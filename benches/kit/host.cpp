#include "benches/kit/host.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <system_error>

namespace rackproof::kit {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

template <class Integer>
bool read_number(std::string_view& text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// Bytes for the kernel's "32768K".
std::int64_t cache_size(std::string_view text) {
  std::int64_t size = 0;
  if (!read_number(text, size)) return 0;
  if (text == "K") return size << 10;
  if (text == "M") return size << 20;
  return size;
}

struct CpuSet {
  explicit CpuSet(int cpus)
      : bytes(CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus))),
        set(CPU_ALLOC(static_cast<std::size_t>(cpus)), [](cpu_set_t* s) { CPU_FREE(s); }) {
    CPU_ZERO_S(bytes, set.get());
  }
  std::size_t bytes;
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set;
};

fs::path cpu_folder(const fs::path& root, int cpu) {
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
}

struct Cache {
  int level = 0;
  std::string sharers;
  std::int64_t bytes = 0;
};

Cache last_level_cache(const fs::path& root, int cpu) {
  Cache last;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cpu_folder(root, cpu) / "cache", ignored)) {
    if (!entry.path().filename().string().starts_with("index")) continue;
    if (first_line(entry.path() / "type") == "Instruction") continue;
    const std::string level_text = first_line(entry.path() / "level");
    std::string_view text = level_text;
    int level = 0;
    if (!read_number(text, level) || level <= last.level) continue;
    last = {level, first_line(entry.path() / "shared_cpu_list"),
            cache_size(first_line(entry.path() / "size"))};
    if (last.sharers.empty()) last.sharers = std::to_string(cpu);
  }
  return last;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kHighest = 1 << 20;
  std::vector<int> cpus;
  while (!text.empty()) {
    int low = 0;
    if (!read_number(text, low) || low < 0) return {};
    int high = low;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      if (!read_number(text, high) || high < low || high > kHighest) return {};
    }
    for (int cpu = low; cpu <= high; ++cpu) cpus.push_back(cpu);
    if (!text.empty() && text.front() != ',') return {};
    if (!text.empty()) text.remove_prefix(1);
  }
  return cpus;
}

std::vector<int> allowed_cpus() {
  // The kernel refuses a set that is too small for its own; double it until it fits.
  for (int capacity = CPU_SETSIZE; capacity <= 1 << 20; capacity *= 2) {
    const CpuSet set(capacity);
    if (sched_getaffinity(0, set.bytes, set.set.get()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), set.bytes, set.set.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {};
}

std::vector<NumaDomain> numa_domains() { return numa_domains(allowed_cpus(), kKernelFiles); }

std::vector<NumaDomain> numa_domains(const std::vector<int>& allowed, const fs::path& root) {
  const fs::path nodes = root / "sys/devices/system/node";
  std::vector<NumaDomain> domains;
  for (const int index : parse_cpu_list(first_line(nodes / "online"))) {
    NumaDomain domain{index, {}};
    for (const int cpu :
         parse_cpu_list(first_line(nodes / ("node" + std::to_string(index)) / "cpulist"))) {
      if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) {
        domain.cpus.push_back(cpu);
      }
    }
    if (!domain.cpus.empty()) domains.push_back(std::move(domain));
  }
  // A kernel without NUMA has one domain all the same.
  if (domains.empty() && !allowed.empty()) domains.push_back({0, allowed});
  return domains;
}

std::int64_t last_level_cache_bytes(const std::vector<int>& cpus, const fs::path& root) {
  std::set<std::string> seen;
  std::int64_t total = 0;
  for (const int cpu : cpus) {
    const Cache cache = last_level_cache(root, cpu);
    if (seen.insert(std::to_string(cache.level) + ":" + cache.sharers).second) total += cache.bytes;
  }
  return total;
}

bool bind_thread(int cpu) { return bind_thread(std::vector<int>{cpu}); }

bool bind_thread(const std::vector<int>& cpus) {
  if (cpus.empty()) return false;
  const auto [lowest, highest] = std::minmax_element(cpus.begin(), cpus.end());
  if (*lowest < 0) return false;
  const CpuSet set(std::max(*highest + 1, CPU_SETSIZE));
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), set.bytes, set.set.get());
  return sched_setaffinity(0, set.bytes, set.set.get()) == 0;
}

int physical_cores(const std::vector<int>& cpus, const fs::path& root) {
  return static_cast<int>(one_cpu_per_core(cpus, root).size());
}

std::vector<int> one_cpu_per_core(const std::vector<int>& cpus, const fs::path& root) {
  std::set<std::string> seen;
  std::vector<int> chosen;
  for (const int cpu : cpus) {
    std::string core = first_line(cpu_folder(root, cpu) / "topology/thread_siblings_list");
    if (core.empty()) core = "cpu" + std::to_string(cpu);
    if (seen.insert(std::move(core)).second) chosen.push_back(cpu);
  }
  return chosen;
}

}  // namespace rackproof::kit
