#pragma once

#include <vector>

#include "benches/copy/plan.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::copy {

/// The devices of this process and the memories between which they can copy.
struct Machine {
  std::vector<kit::cuda::Device> devices;
  std::vector<kit::NumaDomain> domains;  ///< one at least
  Site site;                             ///< numbers devices as `devices` does

  /// Processors of a NUMA domain of the site.
  const std::vector<int>& cpus_of(int domain) const;
};

/// Finds the devices that the settings name and switches peer access on wherever the driver allows
/// it. Says each device, where it hangs, and each pair that has no peer access, with what is known
/// of the reason. Throws as kit::cuda::devices() and select() do.
Machine look_around(const Settings& settings, kit::Session& session);

}  // namespace rackproof::copy
