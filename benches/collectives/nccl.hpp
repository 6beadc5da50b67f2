#pragma once

#include "benches/collectives/core.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/nccl/group.hpp"

namespace rackproof::collectives {

/// The command line of collectives-nccl.
struct NcclSettings {
  Config config;
  kit::nccl::GroupSettings group;

  NcclSettings() {
    config.repertoire = nccl_repertoire();
    group.patience_seconds = 300;
  }
};

/// The collectives bench over NCCL. `settings` is filled by the command line and must outlive it.
kit::Bench nccl_bench(NcclSettings& settings);

}  // namespace rackproof::collectives
