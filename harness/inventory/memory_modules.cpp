#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kEntries = "/sys/firmware/dmi/entries";
const std::string kControllers = "/sys/devices/system/edac/mc";
constexpr std::size_t kMostModules = 1024;

/// A memory device of the firmware's tables: SMBIOS type 17.
struct Module {
  std::int64_t bytes = 0;      ///< 0: an empty slot
  std::int64_t transfers = 0;  ///< a second, as configured; 0: not told
};

/// The number of `count` bytes at `at`, the lowest first. What lies behind the end is zero: white
/// space and zeros at the end of a file are not read.
std::uint64_t number_at(const std::string& raw, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) {
    value = value << 8U | (at + i < raw.size() ? static_cast<unsigned char>(raw[at + i]) : 0U);
  }
  return value;
}

Module module_from(const std::string& raw) {
  constexpr std::uint64_t kUnknown = 0xffff;
  constexpr std::uint64_t kExtended = 0x7fff;
  constexpr std::uint64_t kInKibibytes = 0x8000;
  Module module;
  const std::uint64_t size = number_at(raw, 0x0c, 2);
  if (size == kExtended) {
    module.bytes = static_cast<std::int64_t>((number_at(raw, 0x1c, 4) & 0x7fffffffU) << 20U);
  } else if (size != kUnknown) {
    const bool kibibytes = (size & kInKibibytes) != 0;
    module.bytes = static_cast<std::int64_t>((size & ~kInKibibytes) << (kibibytes ? 10U : 20U));
  }
  const std::uint64_t speed = number_at(raw, 0x20, 2);
  if (speed != 0 && speed != kUnknown) {
    module.transfers = static_cast<std::int64_t>(speed) * 1'000'000;
  }
  return module;
}

/// "32 x 68719476736", of every size that there is.
std::string population_of(const std::map<std::int64_t, int>& sizes) {
  std::string text;
  for (const auto& [bytes, count] : sizes) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + std::to_string(bytes);
  }
  return text;
}

void put_memory_modules(const std::vector<Module>& slots, const std::string& source,
                        FactSheet& sheet) {
  std::map<std::int64_t, int> sizes;
  std::set<std::int64_t> speeds;
  std::size_t modules = 0;
  for (const Module& module : slots) {
    if (module.bytes == 0) continue;
    ++modules;
    ++sizes[module.bytes];
    if (module.transfers > 0) speeds.insert(module.transfers);
  }
  sheet.put_count(fact_name::kMemoryModuleSlots, slots.size(), source);
  sheet.put_count(fact_name::kMemoryModules, modules, source);
  sheet.put(fact_name::kMemoryModuleBytes, population_of(sizes), source);
  if (speeds.empty()) {
    sheet.missing(fact_name::kMemorySpeedTransfersPerSecond, source,
                  "the firmware does not tell it");
  } else {
    // The slowest sets the pace of all on a channel.
    sheet.put(fact_name::kMemorySpeedTransfersPerSecond, *speeds.begin(), source);
  }
}

/// The errors that the memory controllers have counted since they were started.
void put_errors(const FileTree& tree, FactSheet& sheet) {
  const std::array<std::pair<const char*, const char*>, 2> kinds = {
      {{fact_name::kMemoryErrorsCorrected, "ce_count"},
       {fact_name::kMemoryErrorsUncorrected, "ue_count"}}};
  for (const auto& [name, file] : kinds) {
    std::optional<long long> sum;
    for (const std::string& controller : tree.names(kControllers)) {
      const auto count = tree.integer(kControllers + "/" + controller + "/" + file);
      if (count && *count >= 0) sum = sum.value_or(0) + *count;
    }
    if (sum) {
      sheet.put(name, std::int64_t{*sum}, kControllers + "/*/" + file);
    } else {
      sheet.missing(name, kControllers, "no memory controller is watched (EDAC)");
    }
  }
}

}  // namespace

void collect_memory_modules(const FileTree& tree, FactSheet& sheet) {
  const std::string source = kEntries + "/17-*/raw";
  std::vector<Module> slots;
  std::string why = "the firmware has no table of them";
  for (const std::string& entry : tree.names(kEntries)) {
    if (entry.rfind("17-", 0) != 0 || slots.size() >= kMostModules) continue;
    const Reading raw = tree.read(kEntries + "/" + entry + "/raw");
    if (raw.text) {
      slots.push_back(module_from(*raw.text));
    } else {
      why = raw.why;
    }
  }
  if (slots.empty()) {
    for (const char* name :
         {fact_name::kMemoryModuleSlots, fact_name::kMemoryModules, fact_name::kMemoryModuleBytes,
          fact_name::kMemorySpeedTransfersPerSecond}) {
      sheet.missing(name, source, why);
    }
  } else {
    put_memory_modules(slots, source, sheet);
  }
  put_errors(tree, sheet);
}

}  // namespace rackproof::inventory
