#pragma once

#include "benches/kit/bench.hpp"
#include "benches/steps/config.hpp"

namespace rackproof::steps {

/// The steps bench on the host: BLAS and MPI. `config` is filled by the command line and must
/// outlive it.
kit::Bench host_bench(Config& config);

}  // namespace rackproof::steps
