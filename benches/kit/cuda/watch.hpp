#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benches/kit/cuda/nvml.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::kit::cuda {

/// What a series of states says: the facts that belong beside a measured number. Clocks and
/// temperatures as lowest and highest, power as the mean by the energy counter (by the gauge where
/// there is none), throttle reasons as every one that was set in any state; of idle states energy
/// and temperature only. {"clocks": "unknown"} for no state at all. Names: sm_clock_hz_min,
/// sm_clock_hz_max, memory_clock_hz_min, temperature_c_max, power_w, power_limit_w, throttle,
/// states.
contract::Parameters summarise(const std::vector<DeviceState>& states,
                               std::optional<double> power_limit_w);

/// Reads a device's state beside samples. Without NVML it does nothing and says so.
class Watch {
 public:
  explicit Watch(const std::string& uuid);

  /// Reads the state now: a few calls of NVML on the host, nothing queued on the device; the energy
  /// in the first state after facts() and then every second at most. `idle`:
  /// nothing that was queued before is under way either.
  void look(bool idle = false);
  /// What was seen since the last call of facts(); forgets it.
  contract::Parameters facts();
  /// The same without forgetting.
  const std::vector<DeviceState>& states() const { return states_; }
  bool works() const { return nvml_.has_value(); }
  std::optional<double> power_limit_w() const;

 private:
  std::optional<Nvml> nvml_;
  std::vector<DeviceState> states_;
  double energy_at_ = 0;  ///< seconds, of the last state with an energy
};

}  // namespace rackproof::kit::cuda
