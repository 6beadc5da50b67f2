#pragma once

#include <string>

namespace rackproof::cuda_host {

/// Says what is wrong with the program that runs here, and where, and ends it: "cuda_host: kernel
/// fill_kernel, block (0,0,0), thread (1,0,0): ...". Nothing that it says of is allowed on a
/// device.
[[noreturn]] void complain(const std::string& what);

}  // namespace rackproof::cuda_host
