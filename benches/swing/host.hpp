#pragma once

#include "benches/kit/bench.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// The swing bench on the host: arithmetic on its cores, and MPI. `config` is filled by the command
/// line and must outlive it.
kit::Bench host_bench(Config& config);

}  // namespace rackproof::swing
