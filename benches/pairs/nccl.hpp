#pragma once

#include "benches/kit/bench.hpp"
#include "benches/kit/nccl/group.hpp"
#include "benches/pairs/core.hpp"

namespace rackproof::pairs {

struct NcclSettings {
  Config config;
  kit::nccl::GroupSettings group;
};

/// The pairs bench over NCCL: as one member of a group (--ranks, --rank, --device), or by hand over
/// all GPUs of this process, each driven by a thread of its own. `settings` are filled by the
/// command line and must outlive it.
kit::Bench nccl_bench(NcclSettings& settings);

}  // namespace rackproof::pairs
