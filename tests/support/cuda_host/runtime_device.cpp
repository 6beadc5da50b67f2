#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/runtime.hpp"
#include "tests/support/cuda_host/streams.hpp"

// The part of the CUDA runtime that is about devices and errors.
namespace rackproof::cuda_host {
namespace {

// As the driver reads the variable: up to the first word that names nothing.
std::vector<int> read_visible() {
  const bool mig = machine().mig > 0;
  const int all = mig ? machine().mig : machine().devices;
  const char* const text = std::getenv("CUDA_VISIBLE_DEVICES");
  std::vector<int> seen;
  if (text == nullptr) {
    // Of instances only ever one.
    for (int i = 0; i < (mig ? 1 : all); ++i) seen.push_back(i);
    return seen;
  }
  std::string rest = text;
  while (!rest.empty() && !(mig && !seen.empty())) {
    const std::string word = rest.substr(0, rest.find(','));
    rest.erase(0, word.size() + 1);
    int found = -1;
    for (int i = 0; i < all; ++i) {
      if (uuid_text(mig, i) == word || (!mig && std::to_string(i) == word)) found = i;
    }
    if (mig && (word == "0" || word == uuid_text(false, 0))) found = 0;
    if (found < 0) break;
    seen.push_back(found);
  }
  return seen;
}

// Once, as long as there are as many devices.
const std::vector<int>& visible() {
  static std::mutex mutex;
  static std::map<int, std::vector<int>> all;
  const std::lock_guard lock(mutex);
  const auto found = all.find(machine().devices);
  return found != all.end() ? found->second
                            : all.emplace(machine().devices, read_visible()).first->second;
}

bool is_visible(int index) { return index >= 0 && index < visible_devices(); }

}  // namespace

int visible_devices() { return machine().driver == 0 ? 0 : static_cast<int>(visible().size()); }
int visible_device(int index) {
  return is_visible(index) ? visible()[static_cast<std::size_t>(index)] : 0;
}
bool sees_instances() { return machine().mig > 0; }

}  // namespace rackproof::cuda_host

using namespace rackproof::cuda_host;

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  *version = machine().driver;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (machine().driver < CUDART_VERSION / 1000 * 1000) return fail(cudaErrorInsufficientDriver);
  *count = visible_devices();
  return *count == 0 ? fail(cudaErrorNoDevice) : cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= visible_devices()) return fail(cudaErrorInvalidDevice);
  current_device() = visible_device(device);
  return sticky(current_device());
}
cudaError_t cudaGetDevice(int* device) {
  for (*device = 0; *device < visible_devices(); ++*device) {
    if (visible_device(*device) == current_device()) return cudaSuccess;
  }
  return fail(cudaErrorNoDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* of, int device) {
  if (device < 0 || device >= visible_devices()) return fail(cudaErrorInvalidDevice);
  *of = {};
  const int physical = visible_device(device);
  std::strcpy(of->name, "NVIDIA H200 on a CPU");
  // Of the GPU: the runtime does not tell an instance's.
  std::memcpy(of->uuid.bytes, uuid_of(false, sees_instances() ? 0 : physical).data(), 16);
  of->major = machine().major;
  of->minor = machine().minor;
  of->multiProcessorCount = machine().multiprocessors;
  of->totalGlobalMem = machine().memory;
  of->l2CacheSize = static_cast<int>(machine().l2);
  of->sharedMemPerBlockOptin = most_shared();
  of->memoryBusWidth = 6144;
  of->ECCEnabled = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int) {
  *value = what == cudaDevAttrMemoryClockRate ? 3'201'000
           : what == cudaDevAttrClockRate     ? 1'980'000
                                              : -1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  const std::string bus = fmt::format("0000:{:02X}:00.0", 0x18 + visible_device(device));
  std::snprintf(text, static_cast<std::size_t>(length), "%s", bus.c_str());
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const bool among = std::max(visible_device(device), visible_device(peer)) < machine().peers;
  *can = device != peer && among && !sees_instances() ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  int can = 0;
  int device = 0;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceCanAccessPeer(&can, device, peer);
  if (can == 0) return fail(cudaErrorPeerAccessUnsupported);
  return open_peer(current_device(), visible_device(peer))
             ? cudaSuccess
             : fail(cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaDeviceSynchronize() {
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  wait_for_all(current_device());
  return sticky(current_device());
}
cudaError_t cudaGetLastError() {
  const cudaError_t stays = sticky(current_device());
  const cudaError_t last = last_error();
  last_error() = cudaSuccess;
  return stays != cudaSuccess ? stays : last;
}
cudaError_t cudaPeekAtLastError() {
  const cudaError_t stays = sticky(current_device());
  return stays != cudaSuccess ? stays : last_error();
}
const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorNoKernelImageForDevice:
      return "cudaErrorNoKernelImageForDevice";
    case cudaErrorECCUncorrectable:
      return "cudaErrorECCUncorrectable";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    default:
      return "cudaError";
  }
}
const char* cudaGetErrorString(cudaError_t code) {
  return code == cudaSuccess ? "no error" : "an error of a device that a host plays";
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute what, int value) {
  if (what != cudaFuncAttributeMaxDynamicSharedMemorySize) return fail(cudaErrorInvalidValue);
  if (std::cmp_greater(value, most_shared())) return fail(cudaErrorInvalidValue);
  allow_shared_of(kernel, value);
  return cudaSuccess;
}
// Of what a multiprocessor of 9.0 has but for registers, which no kernel has here.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                          std::size_t shared) {
  constexpr int kThreadsOfMultiprocessor = 2048;
  constexpr int kMostBlocks = 32;
  constexpr std::size_t kKeptOfEachBlock = 1024;
  const std::size_t by_shared = (most_shared() + kKeptOfEachBlock) / (shared + kKeptOfEachBlock);
  *blocks =
      std::min({kThreadsOfMultiprocessor / threads, kMostBlocks, static_cast<int>(by_shared)});
  return cudaSuccess;
}
}
