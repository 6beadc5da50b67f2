#include <array>
#include <cstdint>
#include <utility>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kMeminfo = "/proc/meminfo";
const std::string kHugePages = "/sys/kernel/mm/hugepages";
const std::string kTransparent = "/sys/kernel/mm/transparent_hugepage";

/// The word in brackets of "always [madvise] never".
std::optional<std::string> chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  return text.substr(open + 1, close - open - 1);
}

void put_choice(const std::string& name, const Reading& reading, FactSheet& sheet) {
  const auto word = chosen(reading.text.value_or(""));
  if (word) {
    sheet.put(name, *word, reading.path);
  } else {
    sheet.missing(name, reading.path, reading.text ? "no choice is marked" : reading.why);
  }
}

}  // namespace

void collect_memory(const FileTree& tree, FactSheet& sheet) {
  const Reading meminfo = tree.read(kMeminfo);
  const std::array<std::pair<const char*, const char*>, 4> lines = {{
      {fact_name::kMemoryTotalBytes, "MemTotal"},
      {fact_name::kMemoryAvailableBytes, "MemAvailable"},
      {fact_name::kMemorySwapTotalBytes, "SwapTotal"},
      {fact_name::kMemoryHugepageDefaultBytes, "Hugepagesize"},
  }};
  for (const auto& [name, key] : lines) {
    const auto line = line_value(meminfo.text.value_or(""), key, ':');
    const std::vector<std::string> words = words_of(line.value_or(""));
    const auto kib = words.empty() ? std::nullopt : to_integer(words[0]);
    if (kib && *kib >= 0 && *kib <= (1LL << 50)) {
      sheet.put(name, std::int64_t{*kib * 1024}, kMeminfo);
    } else {
      sheet.missing(name, kMeminfo,
                    meminfo.text ? std::string("no readable ") + key + " line" : meminfo.why);
    }
  }
  for (const std::string& size : tree.names(kHugePages)) {
    // "hugepages-2048kB"
    const std::size_t dash = size.find('-');
    if (dash == std::string::npos) continue;
    const std::string name = "memory.hugepages_" + size.substr(dash + 1);
    sheet.put_integer(name + ".total", tree.read(kHugePages + "/" + size + "/nr_hugepages"));
    sheet.put_integer(name + ".free", tree.read(kHugePages + "/" + size + "/free_hugepages"));
  }
  put_choice(fact_name::kMemoryTransparentHugepages, tree.read(kTransparent + "/enabled"), sheet);
  put_choice(fact_name::kMemoryTransparentHugepagesDefrag, tree.read(kTransparent + "/defrag"),
             sheet);
}

}  // namespace rackproof::inventory
