#pragma once

#include "benches/collectives/core.hpp"
#include "benches/kit/bench.hpp"

namespace rackproof::collectives {

/// The collectives bench over MPI. `config` is filled by the command line and must outlive it.
kit::Bench mpi_bench(Config& config);

}  // namespace rackproof::collectives
