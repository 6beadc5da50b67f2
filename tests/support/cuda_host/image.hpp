#pragma once

#include <string>

// What the program's own file says: which kernels there are, and what is constant.
namespace rackproof::cuda_host {

/// True for what the programs and libraries of this process have in read-only memory.
bool is_constant(const void* address);
/// "fill_kernel<double>", without namespaces of ours; "a kernel" when the file does not tell.
std::string name_of_kernel(const void* kernel);
/// Notes that a kernel ran. When the program ends, RACKPROOF_CUDA_HOST_KERNELS=FOLDER gets a file
/// with the mangled name of each that did.
void note_kernel(const void* kernel);

}  // namespace rackproof::cuda_host
