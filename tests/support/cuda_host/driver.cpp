#include <cuda.h>
#include <fmt/format.h>

#include <cstring>

#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/runtime.hpp"

// libcuda.so.1: what is asked of the driver without the runtime.
using namespace rackproof::cuda_host;

#undef cuDeviceGetUuid
extern "C" {

CUresult cuInit(unsigned) { return visible_devices() > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE; }
CUresult cuDriverGetVersion(int* version) {
  *version = machine().driver;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = visible_devices();
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int index) {
  if (index < 0 || index >= visible_devices()) return CUDA_ERROR_INVALID_DEVICE;
  *device = index;
  return CUDA_SUCCESS;
}
// Of the board, in the first form of the call; the second gives an instance's own.
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  std::memcpy(uuid->bytes, uuid_of(false, sees_instances() ? 0 : visible_device(device)).data(),
              16);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  std::memcpy(uuid->bytes, uuid_of(sees_instances(), visible_device(device)).data(), 16);
  return CUDA_SUCCESS;
}
}
