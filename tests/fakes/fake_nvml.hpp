#pragma once

#include "tests/fakes/nvml_host.hpp"

namespace rackproof::fakes {

/// What the parts of the stand-in for NVML share: the GPU behind a handle, and the door that every
/// function passes, which waits and fails where it is told to.
const NvmlGpu& gpu_behind(void* handle);
int enter_nvml(const char* function, void* handle);

}  // namespace rackproof::fakes
