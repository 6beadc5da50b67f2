#include "benches/kit/buffer.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "benches/kit/errors.hpp"

namespace rackproof::kit {
namespace {

constexpr std::size_t kAlignment = std::size_t{2} << 20;

}  // namespace

RawBuffer::RawBuffer(std::size_t bytes, Pages pages) : bytes_(bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - 2 * kAlignment) {
    throw DeviceError("cannot have " + std::to_string(bytes) + " bytes of memory");
  }
  // Whole huge pages, so that the tail is one too.
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  mapped_ = rounded + kAlignment;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw DeviceError("cannot have " + std::to_string(bytes) +
                      " bytes of memory: " + std::strerror(errno));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = static_cast<char*>(mapping_) + (kAlignment - address % kAlignment) % kAlignment;
  // Refused where the kernel has no huge pages; the memory is as good without.
  if (pages == Pages::kHuge && rounded > 0) (void)madvise(data_, rounded, MADV_HUGEPAGE);
}

RawBuffer::~RawBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

RawBuffer::RawBuffer(RawBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

RawBuffer& RawBuffer::operator=(RawBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace rackproof::kit
