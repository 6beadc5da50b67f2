#pragma once

#include <nccl.h>

#include <string>

namespace rackproof::kit::nccl {

/// "ncclRemoteError" for a result.
const char* name_of(ncclResult_t result);

/// Throws for anything but success, GaveUp where NCCL says that another member is gone
/// (ncclRemoteError) and DeviceError otherwise: the call, its place, the device, the name of the
/// result, and what NCCL says of its last error. Unlike the CUDA check it does not wait for the
/// device: a kernel of NCCL may stand there until its communicator is aborted.
void require(ncclResult_t result, const char* call, const char* file, int line);

/// The same text without a throw.
std::string describe(ncclResult_t result, const char* call, const char* file, int line);

}  // namespace rackproof::kit::nccl

/// Around every call of NCCL that must have succeeded when it returns.
#define RACKPROOF_NCCL(call) ::rackproof::kit::nccl::require((call), #call, __FILE__, __LINE__)
