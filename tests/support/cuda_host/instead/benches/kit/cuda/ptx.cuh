#pragma once

#include "tests/support/cuda_host/block.hpp"

// In place of the header of this name, for kernels that run on the host.
namespace rackproof::kit::cuda {

using cuda_host::barrier_expect;
using cuda_host::barrier_init;
using cuda_host::barrier_init_done;
using cuda_host::barrier_wait;
using cuda_host::bulk_fetch;
using cuda_host::nanoseconds;

}  // namespace rackproof::kit::cuda
