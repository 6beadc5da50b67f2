#pragma once

#include "benches/kit/bench.hpp"
#include "benches/pairs/core.hpp"

namespace rackproof::pairs {

/// The pairs bench over MPI. `config` is filled by the command line and must outlive it.
kit::Bench mpi_bench(Config& config);

}  // namespace rackproof::pairs
