#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/support/cuda_host/streams.hpp"

// The part of the CUDA runtime that is about memory.
using namespace rackproof::cuda_host;

namespace {

bool allocation_fails(int device) {
  static std::atomic<std::int64_t> count{0};
  const rackproof::cuda_host::Fault& fault = machine().alloc;
  return fault.who == device && ++count == fault.when;
}

// Memory of the host that CUDA does not know: copied by way of the runtime's own.
bool is_pageable(const void* address) { return area_of(address) == nullptr; }

void move(void* to, const void* from, std::size_t bytes) {
  touch_range(from, bytes, Touch::kRead);
  touch_range(to, bytes, Touch::kWrite);
  std::memcpy(to, from, bytes);
}

cudaError_t queue_copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const std::string name = fmt::format("a copy of {} B", bytes);
  if (is_pageable(from)) {
    // Taken now and written in its turn, which may be after the call has returned.
    const auto* const begin = static_cast<const char*>(from);
    submit(stream, name, [to, taken = std::vector<char>(begin, begin + bytes)] {
      move(to, taken.data(), taken.size());
    });
    return cudaSuccess;
  }
  submit(stream, name, [to, from, bytes] { move(to, from, bytes); });
  if (is_pageable(to) && !is_capturing(stream)) wait_for(resolve(stream));
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = machine().memory;
  *free = machine().memory - used_on(current_device());
  return sticky(current_device());
}
cudaError_t cudaMalloc(void** to, std::size_t bytes) {
  *to = nullptr;
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  const int device = current_device();
  if (const cudaError_t code = sticky(device); code != cudaSuccess || bytes == 0) return code;
  const bool room = bytes <= machine().memory - used_on(device);
  if (!room || allocation_fails(device)) return fail(cudaErrorMemoryAllocation);
  *to = take(bytes, device);
  return *to == nullptr ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  const Area* const area = area_of(memory);
  if (area == nullptr || area->data != memory) return fail(cudaErrorInvalidValue);
  if (area->on_device()) {
    if (counts().communicators > 0) ++counts().freed_beside_communicators;
    wait_for_all(area->device);
  }
  return give(memory) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  *to = take(bytes, -1);
  return *to == nullptr ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  wait_for_all(current_device());
  return give(memory) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  if (const cudaError_t code = sticky(current_device()); code != cudaSuccess) return code;
  const bool staged = is_pageable(from);
  (void)queue_copy(to, from, bytes, nullptr);
  if (!staged) wait_for(resolve(nullptr));
  return sticky(current_device());
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  if (const cudaError_t code = sticky(device_of(stream)); code != cudaSuccess) return code;
  return queue_copy(to, from, bytes, stream);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (const cudaError_t code = sticky(device_of(stream)); code != cudaSuccess) return code;
  submit(stream, fmt::format("a memset of {} B", bytes), [to, value, bytes] {
    touch_range(to, bytes, Touch::kWrite);
    std::memset(to, value, bytes);
  });
  return cudaSuccess;
}
}
