#pragma once

#include <cstdint>

#include "tests/support/cuda_host/shadow.hpp"
#include "tests/support/cuda_host/shared.hpp"

// The thread of a kernel that runs now, for what it calls.
namespace rackproof::cuda_host {

struct Running {
  SharedMemory& shared;  ///< of its block
  Member member;
  Stamp stamp;
};
Running running_thread();

/// Others run until the phase of this parity of the barrier is over; with none, until all but the
/// latest `left` groups of the thread's own copies out of shared memory have read it.
void wait_for_copies(std::uint64_t* barrier, std::uint32_t parity, std::uint32_t left);

}  // namespace rackproof::cuda_host
