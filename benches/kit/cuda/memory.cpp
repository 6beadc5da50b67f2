#include "benches/kit/cuda/memory.hpp"

#include <fmt/format.h>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::kit::cuda {

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  const cudaError_t code = cudaMalloc(&data_, bytes);
  if (code == cudaErrorMemoryAllocation) {
    data_ = nullptr;
    (void)cudaGetLastError();
    throw UsageError(
        fmt::format("{} B of device memory cannot be had: {} B are free", bytes, free_bytes()));
  }
  RACKPROOF_CUDA(code);
}

DeviceMemory::~DeviceMemory() {
  if (data_ != nullptr) (void)cudaFree(data_);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PinnedMemory::PinnedMemory(std::size_t bytes) : bytes_(bytes) {
  const cudaError_t code = cudaHostAlloc(&data_, bytes, cudaHostAllocDefault);
  if (code == cudaErrorMemoryAllocation) {
    data_ = nullptr;
    (void)cudaGetLastError();
    throw UsageError(fmt::format(
        "{} B of page-locked memory cannot be had; look at 'ulimit -l' and at free memory", bytes));
  }
  RACKPROOF_CUDA(code);
}

PinnedMemory::~PinnedMemory() {
  if (data_ != nullptr) (void)cudaFreeHost(data_);
}

PinnedMemory::PinnedMemory(PinnedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

PinnedMemory& PinnedMemory::operator=(PinnedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void copy_async(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  RACKPROOF_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()));
}

void copy(void* to, const void* from, std::size_t bytes) {
  RACKPROOF_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  // From pageable memory it may return when the data are staged, before they have arrived, and our
  // streams do not wait for the default one.
  RACKPROOF_CUDA(cudaStreamSynchronize(nullptr));
}

void fill_async(void* to, int value, std::size_t bytes, const Stream& stream) {
  RACKPROOF_CUDA(cudaMemsetAsync(to, value, bytes, stream.get()));
}

}  // namespace rackproof::kit::cuda
