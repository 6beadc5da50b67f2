#pragma once

#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/packed.hpp"

// In place of the header of this name, for kernels that run on the host.
namespace rackproof::kit::cuda {

using cuda_host::add_halves;
using cuda_host::add_halves_from_zero;
using cuda_host::barrier_expect;
using cuda_host::barrier_init;
using cuda_host::barrier_init_done;
using cuda_host::barrier_wait;
using cuda_host::bulk_fetch;
using cuda_host::larger_halves;
using cuda_host::nanoseconds;
using cuda_host::permute_bytes;

}  // namespace rackproof::kit::cuda
