#pragma once

#include <cstddef>
#include <cstring>

#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/packed.hpp"

// In place of the header of this name, for kernels that run on the host.
namespace rackproof::kit::cuda {

using cuda_host::add_halves;
using cuda_host::add_halves_from_zero;
using cuda_host::barrier_expect;
using cuda_host::barrier_init;
using cuda_host::barrier_wait;
using cuda_host::bulk_commit;
using cuda_host::bulk_fetch;
using cuda_host::bulk_store;
using cuda_host::larger_halves;
using cuda_host::nanoseconds;
using cuda_host::permute_bytes;
using cuda_host::tell_copy_engine;

template <int kLeft>
void bulk_wait_read() {
  cuda_host::bulk_wait_read(kLeft);
}

template <class Raw>
[[gnu::no_sanitize_thread]] inline Raw load_once(const Raw* from) {
  cuda_host::kernel_touch_constant(from, sizeof(Raw));
  Raw made;
  std::memcpy(&made, from, sizeof(Raw));
  return made;
}

}  // namespace rackproof::kit::cuda
