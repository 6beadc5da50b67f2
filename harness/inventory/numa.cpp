#include <cstdint>

#include "harness/inventory/collectors.hpp"

#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kNodes = "/sys/devices/system/node";

/// "Node 0 MemTotal:   131072 kB" in bytes.
std::optional<long long> memory_of(const std::string& meminfo) {
  const std::vector<std::string> words = words_of(meminfo);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] != "MemTotal:") continue;
    const auto kib = to_integer(words[i + 1]);
    if (!kib || *kib < 0 || *kib > (1LL << 50)) return std::nullopt;
    return *kib * 1024;
  }
  return std::nullopt;
}

}  // namespace

void collect_numa(const FileTree& tree, FactSheet& sheet) {
  const Reading list = tree.read(kNodes + "/online");
  const auto nodes = list.text ? parse_list(*list.text) : std::nullopt;
  if (!nodes || nodes->empty()) {
    const std::string why = list.text ? "not a list: \"" + *list.text + "\"" : list.why;
    for (const char* name : {fact_name::kNumaCount, fact_name::kNumaCountWithCpus,
                             fact_name::kNumaCountWithMemory, fact_name::kNumaDistances}) {
      sheet.missing(name, list.path, why);
    }
    return;
  }
  std::size_t with_cpus = 0;
  std::size_t with_memory = 0;
  std::string distances;
  for (const int node : *nodes) {
    const std::string folder = kNodes + "/node" + std::to_string(node);
    const std::string prefix = "numa.node" + std::to_string(node);
    const Reading cpus = tree.read(folder + "/cpulist");
    if (cpus.text && !cpus.text->empty()) ++with_cpus;
    // A node of memory alone (HBM, a GPU's memory) has an empty list.
    if (cpus.text) {
      sheet.put(prefix + ".cpus", *cpus.text, cpus.path);
    } else {
      sheet.missing(prefix + ".cpus", cpus.path, cpus.why);
    }
    const Reading meminfo = tree.read(folder + "/meminfo");
    const auto bytes = memory_of(meminfo.text.value_or(""));
    if (bytes) {
      if (*bytes > 0) ++with_memory;
      sheet.put(prefix + ".memory_bytes", std::int64_t{*bytes}, meminfo.path);
    } else {
      sheet.missing(prefix + ".memory_bytes", meminfo.path,
                    meminfo.text ? "no MemTotal line" : meminfo.why);
    }
    const Reading row = tree.read(folder + "/distance");
    distances += (distances.empty() ? "" : "; ") + row.text.value_or("?");
  }
  sheet.put_count(fact_name::kNumaCount, nodes->size(), list.path);
  sheet.put_count(fact_name::kNumaCountWithCpus, with_cpus, kNodes + "/node*/cpulist");
  sheet.put_count(fact_name::kNumaCountWithMemory, with_memory, kNodes + "/node*/meminfo");
  sheet.put(fact_name::kNumaDistances, distances, kNodes + "/node*/distance");
}

}  // namespace rackproof::inventory
