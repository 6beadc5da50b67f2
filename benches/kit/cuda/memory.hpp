#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "benches/kit/cuda/stream.hpp"

namespace rackproof::kit::cuda {

/// Memory of the current device (cudaMalloc), aligned to 256 B at least. Throws UsageError when
/// more is asked for than is free, and says how much that is. Move-only.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Page-locked memory of the host, where the calling thread's NUMA policy puts it. Move-only.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept;
  PinnedMemory& operator=(PinnedMemory&& other) noexcept;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// `count` elements of a trivial type in memory of kind `Memory`.
template <class T, class Memory>
class TypedMemory {
 public:
  TypedMemory() = default;
  explicit TypedMemory(std::size_t count) : memory_(bytes_of(count)), count_(count) {}

  T* data() const { return static_cast<T*>(memory_.data()); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  // A product that overflows asks for more than any device has, and is refused as such.
  static std::size_t bytes_of(std::size_t count) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    return count > kMost / sizeof(T) ? kMost : count * sizeof(T);
  }

  Memory memory_;
  std::size_t count_ = 0;
};

template <class T>
using DeviceBuffer = TypedMemory<T, DeviceMemory>;
template <class T>
using PinnedBuffer = TypedMemory<T, PinnedMemory>;

/// Queues a copy of `bytes`; the direction follows from the addresses.
void copy_async(void* to, const void* from, std::size_t bytes, const Stream& stream);
/// Copies `bytes` and waits.
void copy(void* to, const void* from, std::size_t bytes);
/// Queues setting each of `bytes` bytes to `value`.
void fill_async(void* to, int value, std::size_t bytes, const Stream& stream);

/// One value from the device.
template <class T>
T read_one(const T* from) {
  T value;
  copy(&value, from, sizeof(T));
  return value;
}

}  // namespace rackproof::kit::cuda
