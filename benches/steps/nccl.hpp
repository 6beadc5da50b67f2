#pragma once

#include "benches/kit/bench.hpp"
#include "benches/steps/nccl_config.hpp"

namespace rackproof::steps {

/// steps-nccl: what of a training step's messages GPUs hide. One process for each member of a
/// supervised group, or one that drives every GPU of the machine.
kit::Bench nccl_bench(NcclConfig& config);

}  // namespace rackproof::steps
