#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "tests/support/cuda_host/shadow.hpp"

// The shared memory of the block that runs, and the copies that arrive in it by themselves.
namespace rackproof::cuda_host {

/// A thread of the block, between two of its barriers.
struct Member {
  std::uint32_t thread = 0;
  std::uint32_t interval = 0;
};

class SharedMemory {
 public:
  explicit SharedMemory(std::mt19937_64& random);

  /// For the next block: nothing of the last one is left.
  void begin(std::size_t dynamic_bytes, std::size_t threads);
  /// Complains of a copy that is still under way, in or out.
  void end() const;

  void* dynamic() const;
  void* fixed(const void* site, std::size_t bytes, std::size_t alignment);

  bool holds(const void* address) const {
    const auto* const at = static_cast<const unsigned char*>(address);
    return at >= base_ && at < base_ + kBytes;
  }
  void touch(const void* address, std::size_t bytes, const Member& who, Touch how);

  void init(std::uint64_t* barrier, const Member& who);
  void tell_copy_engine(const Member& who);
  void expect(std::uint64_t* barrier, std::uint32_t bytes, const Member& who);
  /// What is copied is entered by the caller.
  void fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier,
             const Member& who);
  /// True when the phase of this parity is over, which `who` then has seen.
  bool is_over(std::uint64_t* barrier, std::uint32_t parity, const Member& who);
  /// A bulk copy out, of the group that its thread commits next. Where it goes to is entered by the
  /// caller.
  void store(void* to, const void* from, std::uint32_t bytes, const Member& who);
  void commit(const Member& who);
  /// Complains where a copy out to this memory of a device is still under way.
  void require_stored(const void* address, std::size_t bytes) const {
    if (!stores_.empty()) look_for_store(address, bytes);
  }
  /// True when all but the latest `left` groups of this thread have read what they store.
  bool has_read(std::uint32_t left, const Member& who) const;
  /// False when none is under way. Some copies out are late: they are finished only when no thread
  /// can go on (`stuck`).
  bool finish_one_copy(bool stuck);

 private:
  static constexpr std::size_t kBytes = std::size_t{256} << 10;
  struct Room {
    std::size_t from = 0;
    std::size_t bytes = 0;
  };
  // What the 64 bits of an mbarrier hold.
  struct Barrier {
    std::uint32_t phases = 0;
    bool arrived = false;
    std::int64_t bytes = 0;
    Member made_by;
    bool fenced = false;
    std::vector<std::uint32_t> seen;  // phases, by thread
  };
  struct Copy {
    unsigned char* to = nullptr;
    const void* from = nullptr;
    std::uint32_t bytes = 0;
    std::uint64_t* barrier = nullptr;
    std::uint32_t phase = 0;  // that it belongs to, once it has arrived
  };
  // A copy out that has not read its source yet.
  struct Store {
    void* to = nullptr;
    const unsigned char* from = nullptr;
    std::uint32_t bytes = 0;
    std::uint32_t thread = 0;
    std::uint32_t group = 0;  // of the thread's, counted from 0
    bool late = false;
  };
  // Who wrote a word last, other than by a copy, and how often it had told the copy engine by then.
  struct Wrote {
    std::uint32_t serial = 0;  // of the block; 0: nobody
    std::uint32_t thread = 0;
    std::uint32_t told = 0;
  };
  static constexpr std::size_t kWord = 16;  // as coarse as copies are

  std::size_t add_room(std::size_t bytes, std::size_t alignment);
  std::size_t offset_of(const void* address) const {
    return static_cast<std::size_t>(static_cast<const unsigned char*>(address) - base_);
  }
  void require_room(std::size_t offset, std::size_t bytes) const;
  void require_arrived(std::size_t offset, std::size_t bytes, const Member& who);
  void require_read(std::size_t offset, std::size_t bytes) const;
  void require_told(std::size_t offset, std::size_t bytes) const;
  void look_for_store(const void* address, std::size_t bytes) const;
  void finish_fetch(std::size_t number);
  void finish_store(std::size_t number);
  Barrier& barrier_at(std::uint64_t* barrier, const Member& who);
  static void settle(Barrier& barrier);
  Stamp stamp(const Member& who) const { return {serial_, 0, who.interval, who.thread}; }

  std::mt19937_64& random_;
  std::unique_ptr<unsigned char[]> memory_;
  unsigned char* base_;
  Shadow shadow_{kBytes};
  std::uint32_t serial_ = 0;
  std::size_t threads_ = 0;
  std::size_t taken_ = 0;
  std::vector<Room> rooms_;
  bool has_dynamic_ = false;
  std::map<const void*, std::size_t> fixed_;
  std::map<const std::uint64_t*, Barrier> barriers_;
  std::vector<Copy> copies_;   // under way
  std::vector<Copy> arrived_;  // and not fetched over
  std::vector<Store> stores_;  // under way
  std::vector<Wrote> wrote_;
  std::vector<std::uint32_t> told_;       // by thread
  std::vector<std::uint32_t> committed_;  // groups, by thread
};

}  // namespace rackproof::cuda_host
