#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

constexpr const char* kChannels = fact_name::kMemoryChannels;
constexpr const char* kPeak = fact_name::kMemoryPeakBytesPerSecond;
constexpr double kBytesOfChannel = 8;

/// Processors whose sockets have so many channels of DDR memory.
struct Row {
  std::string_view vendor;
  int family;
  int first_model;
  int last_model;
  std::string_view name;  ///< a part of the name of the product
  int channels;
};

// AMD's data sheets of the EPYC 7001 to 7003, 8004, 9004 and 9005 series; Intel ARK, "Max # of
// Memory Channels". Product lines of one model number differ, so the name must say which it is.
constexpr std::array kRows = {
    Row{"AuthenticAMD", 0x17, 0x00, 0x3f, "EPYC 7", 8},
    Row{"AuthenticAMD", 0x19, 0x00, 0x0f, "EPYC 7", 8},
    Row{"AuthenticAMD", 0x19, 0x10, 0x1f, "EPYC 9", 12},
    Row{"AuthenticAMD", 0x19, 0xa0, 0xaf, "EPYC 9", 12},
    Row{"AuthenticAMD", 0x19, 0xa0, 0xaf, "EPYC 8", 6},
    Row{"AuthenticAMD", 0x1a, 0x00, 0x1f, "EPYC 9", 12},
    Row{"GenuineIntel", 6, 0x55, 0x55, "Platinum 92", 12},
    Row{"GenuineIntel", 6, 0x55, 0x55, "Platinum 8", 6},
    Row{"GenuineIntel", 6, 0x55, 0x55, "Gold", 6},
    Row{"GenuineIntel", 6, 0x55, 0x55, "Silver", 6},
    Row{"GenuineIntel", 6, 0x6a, 0x6a, "Platinum", 8},
    Row{"GenuineIntel", 6, 0x6a, 0x6a, "Gold", 8},
    Row{"GenuineIntel", 6, 0x6a, 0x6a, "Silver", 8},
    Row{"GenuineIntel", 6, 0x8f, 0x8f, "Platinum", 8},
    Row{"GenuineIntel", 6, 0x8f, 0x8f, "Gold", 8},
    Row{"GenuineIntel", 6, 0x8f, 0x8f, "Silver", 8},
    Row{"GenuineIntel", 6, 0xcf, 0xcf, "Platinum", 8},
    Row{"GenuineIntel", 6, 0xcf, 0xcf, "Gold", 8},
    Row{"GenuineIntel", 6, 0xcf, 0xcf, "Silver", 8},
    Row{"GenuineIntel", 6, 0xad, 0xad, "Xeon(R) 69", 12},
    Row{"GenuineIntel", 6, 0xad, 0xad, "Xeon(R) 67", 8},
    Row{"GenuineIntel", 6, 0xad, 0xad, "Xeon(R) 65", 8},
};

int channels_of_socket(const CpuIdentity& cpu) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&cpu](const Row& one) {
    return one.vendor == cpu.vendor && one.family == cpu.family && cpu.model >= one.first_model &&
           cpu.model <= one.last_model && cpu.model_name.find(one.name) != std::string::npos;
  });
  return row == kRows.end() ? 0 : row->channels;
}

/// Why the memory of the whole machine is not what its programs reach; empty when it is.
std::string why_only_a_part(const FactSheet& sheet) {
  const auto usable = sheet.number(fact_name::kCpuUsableCores);
  const auto cores = sheet.number(fact_name::kCpuCores);
  const auto quota = sheet.number(fact_name::kCgroupCpus);
  if (!usable || !cores) return "how many cores may be used is not known";
  if (*usable < *cores || (quota && *quota < *cores)) return "only some of the cores may be used";
  const model::Fact* guest = sheet.find(fact_name::kMachineVirtual);
  const bool is_guest = guest != nullptr && guest->value && *guest->value == contract::Scalar(true);
  // What the firmware of a virtual machine tells of modules is no module of anything.
  return is_guest ? "this is a virtual machine" : "";
}

}  // namespace

void compute_memory_peak(const FileTree& tree, FactSheet& sheet) {
  const Reading cpuinfo = tree.read("/proc/cpuinfo");
  const auto sockets = sheet.number(fact_name::kCpuSockets);
  const CpuIdentity cpu = cpuinfo.text ? identity_from(*cpuinfo.text) : CpuIdentity{};
  const int each = channels_of_socket(cpu);
  if (each == 0 || !sockets) {
    const std::string why = "the table of processors has no channels of \"" + cpu.model_name + "\"";
    sheet.missing(kChannels, "computed", why);
    sheet.missing(kPeak, "computed", why);
    return;
  }
  const double channels = *sockets * each;
  sheet.put(kChannels, static_cast<std::int64_t>(channels),
            "computed: sockets x channels of " + cpu.model_name);
  const std::string part = why_only_a_part(sheet);
  const auto modules = sheet.number(fact_name::kMemoryModules);
  const auto transfers = sheet.number(fact_name::kMemorySpeedTransfersPerSecond);
  if (!part.empty() || !modules || !transfers) {
    sheet.missing(kPeak, "computed",
                  !part.empty() ? part : "modules of memory and their speed are not known");
    return;
  }
  // Two modules on a channel share it, and a channel without one carries nothing.
  sheet.put(kPeak, std::min(channels, *modules) * *transfers * kBytesOfChannel,
            "computed: channels with a module x transfers a second x 8 bytes");
}

}  // namespace rackproof::inventory
