#pragma once

#include "benches/kit/bench.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// The swing bench on GPUs, one for each rank, and MPI between the hosts. `config` is filled by the
/// command line and must outlive it.
kit::Bench cuda_bench(Config& config);

}  // namespace rackproof::swing
