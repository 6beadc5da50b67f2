#pragma once

#include <string>

#include "benches/collectives/core.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/nccl/membership.hpp"

namespace rackproof::collectives {

/// The command line of collectives-nccl.
struct NcclSettings {
  Config config;
  kit::nccl::Membership membership;
  std::string device;             ///< by hand without it: every device of this process
  double patience_seconds = 300;  ///< for any wait once the group is up

  NcclSettings() { config.repertoire = nccl_repertoire(); }
};

/// The collectives bench over NCCL. `settings` is filled by the command line and must outlive it.
kit::Bench nccl_bench(NcclSettings& settings);

}  // namespace rackproof::collectives
