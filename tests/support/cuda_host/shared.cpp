#include "tests/support/cuda_host/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tests/support/cuda_host/complain.hpp"

namespace rackproof::cuda_host {
namespace {

constexpr std::size_t kGap = 64;  // between arrays, so that one's end is not another's beginning
constexpr std::uint32_t kCopierInterval = 0xFFF;  // that no thread is ever in

bool overlap(const unsigned char* a, std::size_t a_bytes, const unsigned char* b,
             std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

SharedMemory::SharedMemory(std::mt19937_64& random)
    : random_(random), memory_(new unsigned char[kBytes + 128]) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  base_ = memory_.get() + (128 - address % 128) % 128;
}

void SharedMemory::begin(std::size_t dynamic_bytes, std::size_t threads) {
  serial_ = serial_ + 1 == 1U << kOperationBits ? 1 : serial_ + 1;
  threads_ = threads;
  taken_ = 0;
  rooms_.clear();
  fixed_.clear();
  barriers_.clear();
  arrived_.clear();
  told_.assign(threads, 0);
  committed_.assign(threads, 0);
  has_dynamic_ = dynamic_bytes > 0;
  if (has_dynamic_) (void)add_room(dynamic_bytes, 128);
}

void SharedMemory::end() const {
  if (!copies_.empty()) {
    complain("a block ended while a bulk copy into its shared memory was under way");
  }
  if (!stores_.empty()) {
    complain("a block ended before a bulk copy out of its shared memory had read it");
  }
}

std::size_t SharedMemory::add_room(std::size_t bytes, std::size_t alignment) {
  const std::size_t step = std::max<std::size_t>(alignment, 16);
  const std::size_t from = (taken_ + step - 1) / step * step;
  if (from + bytes + kGap > kBytes) complain("more shared memory than a multiprocessor has");
  taken_ = from + bytes + kGap;
  // What nobody wrote is noise.
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t word = random_();
    std::memcpy(base_ + from + i, &word, std::min<std::size_t>(8, bytes - i));
  }
  rooms_.push_back({from, bytes});
  return from;
}

void* SharedMemory::dynamic() const {
  if (!has_dynamic_) complain("dynamic shared memory is used, and none was asked for");
  return base_ + rooms_.front().from;
}

void* SharedMemory::fixed(const void* site, std::size_t bytes, std::size_t alignment) {
  const auto found = fixed_.find(site);
  if (found != fixed_.end()) return base_ + found->second;
  return base_ + (fixed_[site] = add_room(bytes, alignment));
}

void SharedMemory::require_room(std::size_t offset, std::size_t bytes) const {
  for (const Room& room : rooms_) {
    if (offset >= room.from && offset + bytes <= room.from + room.bytes) return;
  }
  complain(fmt::format("touched {} B of shared memory at {}: out of bounds of every array", bytes,
                       offset));
}

// By a copy, if one was to write it; and seen to have arrived by waiting for its barrier.
void SharedMemory::require_arrived(std::size_t offset, std::size_t bytes, const Member& who) {
  const unsigned char* const at = base_ + offset;
  for (const Copy& copy : copies_) {
    if (!overlap(at, bytes, copy.to, copy.bytes)) continue;
    complain(
        fmt::format("touched shared memory at {} while a bulk copy into it was under way", offset));
  }
  if (shadow_.writer(offset).thread() != Stamp::kCopier) return;
  for (const Copy& copy : arrived_) {
    if (!overlap(at, bytes, copy.to, copy.bytes)) continue;
    if (barriers_[copy.barrier].seen[who.thread] >= copy.phase) continue;
    complain(fmt::format("touched shared memory at {} without waiting for the bulk copy into it",
                         offset));
  }
}

// By the copies out of it, if it is to be written.
void SharedMemory::require_read(std::size_t offset, std::size_t bytes) const {
  for (const Store& store : stores_) {
    if (!overlap(base_ + offset, bytes, store.from, store.bytes)) continue;
    complain(fmt::format("wrote shared memory at {}, which a bulk copy out of it has yet to read",
                         offset));
  }
}

// That it was written, by whoever wrote it.
void SharedMemory::require_told(std::size_t offset, std::size_t bytes) const {
  if (wrote_.empty()) return;
  for (std::size_t at = offset; at < offset + bytes; at += kWord) {
    const Wrote& last = wrote_[at / kWord];
    if (last.serial != serial_ || told_[last.thread] > last.told) continue;
    complain(
        fmt::format("a bulk copy of shared memory at {}, which thread {} wrote and the copy engine "
                    "was not told of",
                    at, last.thread));
  }
}

void SharedMemory::touch(const void* address, std::size_t bytes, const Member& who, Touch how) {
  const std::size_t offset = offset_of(address);
  require_room(offset, bytes);
  if (!barriers_.empty()) require_arrived(offset, bytes, who);
  if (!is_read(how)) {
    require_read(offset, bytes);
    if (wrote_.empty()) wrote_.resize(kBytes / kWord);
    for (std::size_t at = offset / kWord; at <= (offset + bytes - 1) / kWord; ++at) {
      wrote_[at] = {serial_, who.thread, told_[who.thread]};
    }
  }
  const auto clash = shadow_.touch(offset, bytes, stamp(who), how, nullptr, true);
  if (!clash) return;
  if (clash->kind == Clash::Kind::kUnwritten) {
    complain(fmt::format("read shared memory at {}, which nobody has written", clash->offset));
  }
  complain(fmt::format("a race: {} shared memory at {}, which thread {} {} with no barrier between",
                       is_read(how) ? "read" : "wrote", clash->offset,
                       clash->other.thread() == Stamp::kMany
                           ? std::string("several")
                           : fmt::format("{}", clash->other.thread()),
                       clash->other_wrote ? "wrote" : "read"));
}

SharedMemory::Barrier& SharedMemory::barrier_at(std::uint64_t* barrier, const Member& who) {
  const auto found = barriers_.find(barrier);
  if (found == barriers_.end()) complain("an mbarrier is used that was not initialised");
  const Member& maker = found->second.made_by;
  if (maker.thread != who.thread && maker.interval == who.interval) {
    complain(fmt::format("an mbarrier is used that thread {} initialised with no barrier between",
                         maker.thread));
  }
  return found->second;
}

void SharedMemory::init(std::uint64_t* barrier, const Member& who) {
  if (!holds(barrier)) complain("an mbarrier that is not in shared memory");
  require_room(offset_of(barrier), sizeof(*barrier));
  Barrier fresh;
  fresh.made_by = who;
  fresh.seen.resize(threads_);
  barriers_[barrier] = fresh;
}

void SharedMemory::tell_copy_engine(const Member& who) {
  ++told_[who.thread];
  for (auto& [address, barrier] : barriers_) {
    if (barrier.made_by.thread == who.thread) barrier.fenced = true;
  }
}

void SharedMemory::settle(Barrier& barrier) {
  if (!barrier.arrived || barrier.bytes != 0) return;
  ++barrier.phases;
  barrier.arrived = false;
}

void SharedMemory::expect(std::uint64_t* barrier, std::uint32_t bytes, const Member& who) {
  Barrier& at = barrier_at(barrier, who);
  if (at.arrived) complain("more arrivals at an mbarrier than it was made for");
  at.arrived = true;
  at.bytes += bytes;
  settle(at);
}

void SharedMemory::fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier,
                         const Member& who) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  if (bytes % 16 != 0 || !aligned(to) || !aligned(from)) {
    complain("a bulk copy that is not aligned to 16 bytes");
  }
  if (!holds(to)) complain("a bulk copy to what is not shared memory");
  if (!barrier_at(barrier, who).fenced) {
    complain("a bulk copy for an mbarrier that the copy engine was not told of");
  }
  auto* const at = static_cast<unsigned char*>(to);
  touch(to, bytes, who, Touch::kWrite);
  // Not by the thread: the copy engine knows of it.
  for (std::size_t word = offset_of(to) / kWord; word < (offset_of(to) + bytes) / kWord; ++word) {
    wrote_[word] = {};
  }
  std::erase_if(arrived_,
                [&](const Copy& copy) { return overlap(at, bytes, copy.to, copy.bytes); });
  copies_.push_back({at, from, bytes, barrier, 0});
}

bool SharedMemory::is_over(std::uint64_t* barrier, std::uint32_t parity, const Member& who) {
  Barrier& at = barrier_at(barrier, who);
  if ((at.phases & 1U) == parity) return false;
  at.seen[who.thread] = at.phases;
  return true;
}

void SharedMemory::store(void* to, const void* from, std::uint32_t bytes, const Member& who) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  if (bytes % 16 != 0 || !aligned(to) || !aligned(from)) {
    complain("a bulk copy that is not aligned to 16 bytes");
  }
  if (!holds(from)) complain("a bulk copy out of what is not shared memory");
  touch(from, bytes, who, Touch::kRead);
  require_told(offset_of(from), bytes);
  stores_.push_back({to, static_cast<const unsigned char*>(from), bytes, who.thread,
                     committed_[who.thread], random_() % 2 == 0});
}

void SharedMemory::look_for_store(const void* address, std::size_t bytes) const {
  const auto* const at = static_cast<const unsigned char*>(address);
  for (const Store& store : stores_) {
    if (!overlap(at, bytes, static_cast<const unsigned char*>(store.to), store.bytes)) continue;
    complain(fmt::format("touched {} B to which a bulk copy is under way", bytes));
  }
}

void SharedMemory::commit(const Member& who) { ++committed_[who.thread]; }

bool SharedMemory::has_read(std::uint32_t left, const Member& who) const {
  const std::uint32_t groups = committed_[who.thread];
  return std::none_of(stores_.begin(), stores_.end(), [&](const Store& store) {
    return store.thread == who.thread && store.group + left < groups;
  });
}

bool SharedMemory::finish_one_copy(bool stuck) {
  const auto in_time = std::partition(stores_.begin(), stores_.end(),
                                      [](const Store& store) { return !store.late; });
  const auto out =
      static_cast<std::size_t>(stuck ? std::ssize(stores_) : in_time - stores_.begin());
  const std::size_t all = copies_.size() + out;
  if (all == 0) return false;
  const std::size_t number = random_() % all;
  if (number < copies_.size()) {
    finish_fetch(number);
  } else {
    finish_store(number - copies_.size());
  }
  return true;
}

void SharedMemory::finish_store(std::size_t number) {
  const Store store = stores_[number];
  stores_.erase(stores_.begin() + static_cast<std::ptrdiff_t>(number));
  std::memcpy(store.to, store.from, store.bytes);
}

void SharedMemory::finish_fetch(std::size_t number) {
  Copy copy = copies_[number];
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(number));
  std::memcpy(copy.to, copy.from, copy.bytes);
  shadow_.set_writer(offset_of(copy.to), copy.bytes, {serial_, 0, kCopierInterval, Stamp::kCopier});
  Barrier& barrier = barriers_[copy.barrier];
  copy.phase = barrier.phases + 1;
  arrived_.push_back(copy);
  barrier.bytes -= copy.bytes;
  settle(barrier);
}

}  // namespace rackproof::cuda_host
