#include "harness/gate/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/model/column_name.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::gate {
namespace {

namespace column_name = model::column_name;

/// A counter that is looked at. Above `any` it has a reason at all, from `grave_from` a second on
/// that is bad.
struct Watched {
  std::string_view name;
  GateReason bad;
  double grave_per_second;  ///< 0: the first one is; negative: none ever
  std::string_view words;
};

// What is bad by itself is what hurts data, or a link that was lost: that a row was remapped, a
// packet sent again or a bit corrected is what those means are for. Two rates and one count are
// those of NVIDIA's health watches (DCGM, DcgmGPUHardwareLimits.h and DcgmHealthWatch.cpp): an
// NVLink that had to recover fails a GPU, CRC errors matter from 100 a second on. Its third, 8
// replays a minute on PCIe, is a warning there and only told here.
constexpr double kNever = -1;
constexpr double kCrcErrors = 100;
constexpr std::array kWatched = {
    Watched{column_name::kGpuEccUncorrected, GateReason::kEccUncorrected, 0,
            "uncorrected ECC errors"},
    Watched{column_name::kMemoryUncorrectedErrors, GateReason::kHostMemory, 0,
            "uncorrected errors of the host's memory"},
    Watched{column_name::kPcieFatalErrors, GateReason::kPcieErrors, 0, "fatal errors on PCIe"},
    Watched{column_name::kGpuNvlinkRecoveries, GateReason::kNvlinkErrors, 0,
            "recoveries of its NVLinks"},
    Watched{column_name::kGpuNvlinkFlitCrcErrors, GateReason::kNvlinkErrors, kCrcErrors,
            "CRC errors of flits on its NVLinks"},
    Watched{column_name::kGpuNvlinkDataCrcErrors, GateReason::kNvlinkErrors, kCrcErrors,
            "CRC errors of data on its NVLinks"},
    Watched{column_name::kGpuEccCorrected, GateReason::kErrorsCounted, kNever,
            "corrected ECC errors"},
    Watched{column_name::kGpuRemappedCorrectable, GateReason::kErrorsCounted, kNever,
            "rows remapped after corrected errors"},
    Watched{column_name::kGpuRemappedUncorrectable, GateReason::kErrorsCounted, kNever,
            "rows remapped after uncorrected errors"},
    Watched{column_name::kGpuPcieReplays, GateReason::kErrorsCounted, kNever, "replays on PCIe"},
    Watched{column_name::kGpuNvlinkReplays, GateReason::kErrorsCounted, kNever,
            "replays on its NVLinks"},
    Watched{column_name::kGpuNvlinkReceiveErrors, GateReason::kErrorsCounted, kNever,
            "receive errors of its NVLinks"},
    Watched{column_name::kGpuNvlinkIntegrityErrors, GateReason::kErrorsCounted, kNever,
            "integrity errors of its NVLinks"},
    Watched{column_name::kGpuNvlinkRecoveryEvents, GateReason::kErrorsCounted, kNever,
            "recovery events of its NVLinks"},
    Watched{column_name::kMemoryCorrectedErrors, GateReason::kErrorsCounted, kNever,
            "corrected errors of the host's memory"},
    Watched{column_name::kPcieNonfatalErrors, GateReason::kErrorsCounted, kNever,
            "nonfatal errors on PCIe"},
    Watched{column_name::kInfinibandLinkDowns, GateReason::kErrorsCounted, kNever,
            "times that it went down"},
    Watched{column_name::kInfinibandLinkRecoveries, GateReason::kErrorsCounted, kNever,
            "recoveries of the link"},
    Watched{column_name::kInfinibandIntegrityErrors, GateReason::kErrorsCounted, kNever,
            "integrity errors"},
};

const Watched* watched(std::string_view name) {
  const auto* const found = std::find_if(kWatched.begin(), kWatched.end(),
                                         [name](const Watched& one) { return one.name == name; });
  return found == kWatched.end() ? nullptr : found;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

}  // namespace

bool same_start(const Look& before, const Look& now) {
  const auto boot = [](const Look& look) {
    return model::text_of(look.node, model::fact_name::kHostBootId).value_or("");
  };
  return boot(before) == boot(now) && now.uptime_seconds >= before.uptime_seconds;
}

Growth growth(double before, double now, double seconds_between, bool restarted, double uptime) {
  if (restarted) return {now, uptime};
  // The driver was loaded again, or the part reset: when, nobody tells, but after the last look.
  if (now < before) return {now, seconds_between};
  return {now - before, seconds_between};
}

std::vector<Finding> judge_counters(const Look& before, const Look& now) {
  const bool restarted = !same_start(before, now);
  const double between =
      restarted ? now.uptime_seconds : now.uptime_seconds - before.uptime_seconds;
  std::vector<Finding> findings;
  for (const auto& [key, value] : now.counters) {
    const Watched* const what = watched(key.first);
    const auto then = before.counters.find(key);
    if (what == nullptr || then == before.counters.end()) continue;
    // Rows stay remapped over a start: that count goes on.
    const bool goes_on = key.first.starts_with("gpu.remapped_") && value >= then->second;
    const Growth more =
        growth(then->second, value, between, restarted && !goes_on, now.uptime_seconds);
    if (more.count <= 0) continue;
    const bool bad = what->grave_per_second >= 0 && more.per_second() >= what->grave_per_second;
    findings.push_back(
        {bad ? what->bad : GateReason::kErrorsCounted, key.second,
         fmt::format("{:.0f} more {} in {}", more.count, what->words, duration(more.seconds))});
  }
  return findings;
}

}  // namespace rackproof::gate
