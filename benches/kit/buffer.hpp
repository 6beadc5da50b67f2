#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace rackproof::kit {

enum class Pages { kDefault, kHuge };

/// What the start of such a buffer is aligned to, on a kernel whose transparent huge pages have
/// `huge_page` bytes: 2 MiB, or a whole huge page where the buffer holds one.
std::size_t buffer_alignment(std::size_t bytes, Pages pages, std::size_t huge_page);

/// Anonymous memory aligned to at least 2 MiB that nobody has touched yet, so that the first thread
/// to write a page decides its NUMA node. Pages::kHuge asks for transparent huge pages (madvise),
/// which the kernel may refuse silently. Throws DeviceError when the memory cannot be had.
/// Move-only.
class RawBuffer {
 public:
  explicit RawBuffer(std::size_t bytes, Pages pages = Pages::kDefault);
  ~RawBuffer();
  RawBuffer(RawBuffer&& other) noexcept;
  RawBuffer& operator=(RawBuffer&& other) noexcept;
  RawBuffer(const RawBuffer&) = delete;
  RawBuffer& operator=(const RawBuffer&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A RawBuffer of `count` elements of a trivial type.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count, Pages pages = Pages::kDefault)
      : raw_(bytes_of(count), pages), count_(count) {}

  T* data() const { return static_cast<T*>(raw_.data()); }
  std::size_t size() const { return count_; }
  std::span<T> span() const { return {data(), count_}; }
  T& operator[](std::size_t i) const { return data()[i]; }

 private:
  // A product that overflows asks for more than any machine has, and is refused as such.
  static std::size_t bytes_of(std::size_t count) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    return count > kMost / sizeof(T) ? kMost : count * sizeof(T);
  }

  RawBuffer raw_;
  std::size_t count_;
};

}  // namespace rackproof::kit
