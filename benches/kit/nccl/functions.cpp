// The functions of nccl.h that the benches call, by those of the library that was loaded.
#include <nccl.h>

#include "benches/kit/nccl/library.hpp"

namespace {

template <class Function>
Function required(const char* name) {
  rackproof::kit::nccl::require_library();
  return reinterpret_cast<Function>(rackproof::kit::nccl::find_in_library(name));
}

}  // namespace

// One of nccl.h, which says what it does: looked up at its first call.
#define RACKPROOF_HAND_ON(name, ...)                            \
  static const auto kReal = required<decltype(&::name)>(#name); \
  return kReal(__VA_ARGS__)

extern "C" {

ncclResult_t ncclGetVersion(int* version) { RACKPROOF_HAND_ON(ncclGetVersion, version); }
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) { RACKPROOF_HAND_ON(ncclGetUniqueId, id); }
const char* ncclGetErrorString(ncclResult_t result) {
  RACKPROOF_HAND_ON(ncclGetErrorString, result);
}
const char* ncclGetLastError(ncclComm_t comm) { RACKPROOF_HAND_ON(ncclGetLastError, comm); }
ncclResult_t ncclGroupStart() { RACKPROOF_HAND_ON(ncclGroupStart); }
ncclResult_t ncclGroupEnd() { RACKPROOF_HAND_ON(ncclGroupEnd); }

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  RACKPROOF_HAND_ON(ncclCommInitRankConfig, comm, ranks, id, rank, config);
}
ncclResult_t ncclCommInitRankScalable(ncclComm_t* comm, int ranks, int rank, int count,
                                      ncclUniqueId* ids, ncclConfig_t* config) {
  RACKPROOF_HAND_ON(ncclCommInitRankScalable, comm, ranks, rank, count, ids, config);
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* child,
                           ncclConfig_t* config) {
  RACKPROOF_HAND_ON(ncclCommSplit, comm, color, key, child, config);
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  RACKPROOF_HAND_ON(ncclCommGetAsyncError, comm, error);
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) { RACKPROOF_HAND_ON(ncclCommDestroy, comm); }
ncclResult_t ncclCommAbort(ncclComm_t comm) { RACKPROOF_HAND_ON(ncclCommAbort, comm); }

ncclResult_t ncclAllReduce(const void* in, void* out, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclAllReduce, in, out, count, type, op, comm, stream);
}
ncclResult_t ncclAllGather(const void* in, void* out, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclAllGather, in, out, count, type, comm, stream);
}
ncclResult_t ncclReduceScatter(const void* in, void* out, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclReduceScatter, in, out, count, type, op, comm, stream);
}
ncclResult_t ncclBroadcast(const void* in, void* out, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclBroadcast, in, out, count, type, root, comm, stream);
}
ncclResult_t ncclReduce(const void* in, void* out, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclReduce, in, out, count, type, op, root, comm, stream);
}
ncclResult_t ncclAlltoAll(const void* in, void* out, size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclAlltoAll, in, out, count, type, comm, stream);
}
ncclResult_t ncclSend(const void* in, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclSend, in, count, type, peer, comm, stream);
}
ncclResult_t ncclRecv(void* out, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  RACKPROOF_HAND_ON(ncclRecv, out, count, type, peer, comm, stream);
}

ncclResult_t ncclMemAlloc(void** memory, size_t size) {
  RACKPROOF_HAND_ON(ncclMemAlloc, memory, size);
}
ncclResult_t ncclMemFree(void* memory) { RACKPROOF_HAND_ON(ncclMemFree, memory); }
ncclResult_t ncclCommRegister(ncclComm_t comm, void* memory, size_t size, void** handle) {
  RACKPROOF_HAND_ON(ncclCommRegister, comm, memory, size, handle);
}
ncclResult_t ncclCommDeregister(ncclComm_t comm, void* handle) {
  RACKPROOF_HAND_ON(ncclCommDeregister, comm, handle);
}
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void* memory, size_t size,
                                    ncclWindow_t* window, int flags) {
  RACKPROOF_HAND_ON(ncclCommWindowRegister, comm, memory, size, window, flags);
}
ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  RACKPROOF_HAND_ON(ncclCommWindowDeregister, comm, window);
}

}  // extern "C"
