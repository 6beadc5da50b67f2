#pragma once

#include <array>
#include <string_view>

namespace rackproof::contract {

/// Why a GPU's clocks are held down: one bit of NVML's answer.
struct ThrottleReason {
  std::string_view name;       ///< in recordings and causes
  std::string_view nvml_name;  ///< in records, whose benches speak NVML's own words
};

/// By the number of the bit (nvmlClocksEventReasons). The first says that nothing runs.
inline constexpr std::array kThrottleReasons = {
    ThrottleReason{"idle", "gpu_idle"},
    ThrottleReason{"application-clocks", "applications_clocks_setting"},
    ThrottleReason{"power-cap", "sw_power_cap"},
    ThrottleReason{"hardware-slowdown", "hw_slowdown"},
    ThrottleReason{"sync-boost", "sync_boost"},
    ThrottleReason{"temperature", "sw_thermal_slowdown"},
    ThrottleReason{"hardware-temperature", "hw_thermal_slowdown"},
    ThrottleReason{"power-brake", "hw_power_brake_slowdown"},
    ThrottleReason{"display-clocks", "display_clock_setting"}};

}  // namespace rackproof::contract
