#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tests/support/cuda_host/order.hpp"

// For every piece of memory: who wrote it last, and who has read it since.
namespace rackproof::cuda_host {

/// How memory is touched. kConstant: read by a path that does not see what the kernel itself
/// writes.
enum class Touch { kRead, kConstant, kWrite, kAtomic };
inline bool is_read(Touch how) { return how == Touch::kRead || how == Touch::kConstant; }

/// Somebody who touches memory: a thread of a block of an operation, between two barriers. In 64
/// bits, so that a piece of memory costs two words.
class Stamp {
 public:
  static constexpr std::uint32_t kMany = 0x7FF;    ///< threads
  static constexpr std::uint32_t kCopier = 0x7FE;  ///< the engine that carries bulk copies

  Stamp() = default;
  Stamp(std::uint32_t operation, std::uint64_t block, std::uint32_t interval, std::uint32_t thread)
      : bits_(std::uint64_t{operation} << 42 | (block & kBlocks) << 24 |
              (std::uint64_t{interval} & 0xFFF) << 12 | std::uint64_t{thread} << 1) {}

  bool any() const { return bits_ != 0; }
  std::uint32_t operation() const { return static_cast<std::uint32_t>(bits_ >> 42); }
  std::uint32_t block() const { return static_cast<std::uint32_t>(bits_ >> 24 & kBlocks); }
  std::uint32_t interval() const { return static_cast<std::uint32_t>(bits_ >> 12 & 0xFFF); }
  std::uint32_t thread() const { return static_cast<std::uint32_t>(bits_ >> 1 & 0x7FF); }
  /// Of one that wrote.
  bool atomic() const { return (bits_ & 1) != 0; }
  Stamp as_atomic() const { return of(bits_ | 1); }
  /// Of one that read, or of several of which one did.
  bool constant() const { return (bits_ & 1) != 0; }
  Stamp as_constant() const { return of(bits_ | 1); }
  bool operator==(const Stamp&) const = default;

  /// Several threads, or several blocks, have read.
  Stamp with_many_threads() const { return of(bits_ | std::uint64_t{kMany} << 1); }
  Stamp with_many_blocks() const { return of(bits_ | kBlocks << 24 | std::uint64_t{kMany} << 1); }
  bool many_blocks() const { return block() == kBlocks; }

 private:
  static constexpr std::uint64_t kBlocks = 0x3FFFF;
  static Stamp of(std::uint64_t bits) {
    Stamp made;
    made.bits_ = bits;
    return made;
  }
  std::uint64_t bits_ = 0;
};

/// Two that must not meet.
struct Clash {
  enum class Kind { kRace, kUnordered, kUnwritten, kNotConstant } kind;
  std::size_t offset = 0;
  Stamp other;
  bool other_wrote = false;
};

/// "block 3, thread 17"
std::string say(const Stamp& stamp);

/// The shadow of one piece of memory, whose parts are as coarse as the accesses to it allow.
class Shadow {
 public:
  explicit Shadow(std::size_t bytes);

  /// Enters an access; what it clashes with. `clock` orders operations; nullptr: all others are
  /// over, and what they wrote is nobody's. Reading what nobody wrote is a clash when
  /// `want_written`.
  std::optional<Clash> touch(std::size_t offset, std::size_t bytes, const Stamp& who, Touch how,
                             const Clock* clock, bool want_written);
  /// Who wrote this byte last.
  Stamp writer(std::size_t offset);
  /// Makes it so, without asking.
  void set_writer(std::size_t offset, std::size_t bytes, const Stamp& who);

 private:
  struct Cell {
    Stamp write;
    Stamp read;
  };
  static constexpr std::size_t kPage = 4096;
  struct Page {
    std::atomic_flag busy;
    unsigned grain = 3;  // the logarithm of the bytes of a cell
    std::unique_ptr<Cell[]> cells;
  };
  class Held;

  static void refine(Page& page, unsigned grain);
  static void make_finer(Page& page, unsigned grain);

  std::unique_ptr<Page[]> pages_;
};

}  // namespace rackproof::cuda_host
