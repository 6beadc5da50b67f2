#include "benches/kit/buffer.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "benches/kit/errors.hpp"

namespace rackproof::kit {
namespace {

constexpr std::size_t kLeastAlignment = std::size_t{2} << 20;

// 2 MiB where pages have 4 KiB; 512 MiB on kernels for aarch64 with pages of 64 KiB.
std::size_t huge_page_of_kernel() {
  std::ifstream in("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  std::size_t bytes = 0;
  return in >> bytes ? bytes : kLeastAlignment;
}

}  // namespace

std::size_t buffer_alignment(std::size_t bytes, Pages pages, std::size_t huge_page) {
  const bool usable = huge_page >= kLeastAlignment && huge_page % kLeastAlignment == 0;
  return usable && pages == Pages::kHuge && bytes >= huge_page ? huge_page : kLeastAlignment;
}

RawBuffer::RawBuffer(std::size_t bytes, Pages pages) : bytes_(bytes) {
  static const std::size_t huge_page = huge_page_of_kernel();
  const std::size_t alignment = buffer_alignment(bytes, pages, huge_page);
  if (bytes > std::numeric_limits<std::size_t>::max() - kLeastAlignment - alignment) {
    throw DeviceError("cannot have " + std::to_string(bytes) + " bytes of memory");
  }
  // Whole huge pages of 2 MiB, so that the tail is one too; larger ones would be memory that nobody
  // asked for.
  const std::size_t rounded = (bytes + kLeastAlignment - 1) / kLeastAlignment * kLeastAlignment;
  mapped_ = rounded + alignment;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw DeviceError("cannot have " + std::to_string(bytes) +
                      " bytes of memory: " + std::strerror(errno));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = static_cast<char*>(mapping_) + (alignment - address % alignment) % alignment;
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
