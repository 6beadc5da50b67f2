#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kCpuFolders = "/sys/devices/system/cpu";

/// "32768K", "32M" in bytes.
std::optional<long long> cache_size(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const char suffix = text.back();
  const long long factor = suffix == 'K' ? 1LL << 10 : suffix == 'M' ? 1LL << 20 : 1;
  const auto number = to_integer(factor == 1 ? text : text.substr(0, text.size() - 1));
  if (!number || *number <= 0 || *number > (1LL << 40) / factor) return std::nullopt;
  return *number * factor;
}

/// The caches of one level and type: each cache once, by the list of the threads that share it.
using Caches = std::map<std::string, long long>;
using Levels = std::map<std::pair<long long, std::string>, Caches>;

Levels read_levels(const FileTree& tree, const std::vector<int>& cpus) {
  Levels levels;
  for (const int cpu : cpus) {
    const std::string folder = kCpuFolders + "/cpu" + std::to_string(cpu) + "/cache";
    for (const std::string& index : tree.names(folder)) {
      if (index.rfind("index", 0) != 0) continue;
      const std::string path = folder + "/" + index;
      const auto level = tree.integer(path + "/level");
      const Reading type = tree.read(path + "/type");
      const Reading sharers = tree.read(path + "/shared_cpu_list");
      const auto size = cache_size(tree.read(path + "/size").text.value_or(""));
      if (!level || !type.text || !sharers.text || !size) continue;
      levels[{*level, *type.text}].emplace(*sharers.text, *size);
    }
  }
  return levels;
}

void put_last_level_sizes(const Levels& levels, const std::string& source, FactSheet& sheet) {
  long long last = 0;
  const Caches* caches = nullptr;
  for (const auto& [key, found] : levels) {
    if (key.second != "Instruction" && key.first >= last) {
      last = key.first;
      caches = &found;
    }
  }
  if (!caches) {
    for (const char* name : {fact_name::kCacheLlcLevel, fact_name::kCacheLlcCount,
                             fact_name::kCacheLlcBytes, fact_name::kCacheLlcTotalBytes}) {
      sheet.missing(name, source, "the kernel does not describe the caches");
    }
    return;
  }
  long long total = 0;
  long long largest = 0;
  for (const auto& [sharers, size] : *caches) {
    total += size;
    largest = std::max(largest, size);
  }
  sheet.put(fact_name::kCacheLlcLevel, std::int64_t{last}, source);
  sheet.put_count(fact_name::kCacheLlcCount, caches->size(), source);
  sheet.put(fact_name::kCacheLlcBytes, std::int64_t{largest}, source);
  sheet.put(fact_name::kCacheLlcTotalBytes, std::int64_t{total}, source);
}

}  // namespace

void collect_caches(const FileTree& tree, FactSheet& sheet) {
  const auto online = parse_list(tree.read(kCpuFolders + "/online").text.value_or(""));
  const Levels levels = read_levels(tree, online.value_or(std::vector<int>{}));
  const std::string source = kCpuFolders + "/cpu*/cache";
  put_last_level_sizes(levels, source, sheet);
  const std::map<std::string, std::pair<long long, std::string>> inner = {
      {fact_name::kCacheL1dBytes, {1, "Data"}}, {fact_name::kCacheL2Bytes, {2, "Unified"}}};
  for (const auto& [name, key] : inner) {
    const auto found = levels.find(key);
    if (found == levels.end()) {
      sheet.missing(name, source, "the kernel does not describe this cache");
    } else {
      sheet.put(name, std::int64_t{found->second.begin()->second}, source);
    }
  }
}

}  // namespace rackproof::inventory
