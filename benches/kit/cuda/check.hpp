#pragma once

#include <cuda_runtime_api.h>

namespace rackproof::kit::cuda {

/// Throws DeviceError for anything but success: the call, its place, the device, the name of the
/// error and its meaning, and whether the context is lost (a sticky error: no later call in this
/// process can succeed). Throws Unavailable where the program has no kernels for the device.
void require(cudaError_t code, const char* call, const char* file, int line);

/// The text of `require`'s exception; without a place when `file` is empty.
/// `library` names another library's status: "cublasLt", "nccl".
[[noreturn]] void fail(const char* call, const char* file, int line, const char* name,
                       const char* meaning);

/// True for an error after which no call in this process can succeed any more.
bool is_sticky(cudaError_t code);

/// True for what the runtime says when a program has no machine code that the device can run.
bool is_of_another_device(cudaError_t code);

/// True when the context of this process is known to do no more work. Does not wait for the device.
bool context_is_lost();

}  // namespace rackproof::kit::cuda

/// Around every call of the CUDA runtime, and around cudaGetLastError() after a launch.
#define RACKPROOF_CUDA(call) ::rackproof::kit::cuda::require((call), #call, __FILE__, __LINE__)
