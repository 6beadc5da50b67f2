#include "tests/support/cuda_host/shadow.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rackproof::cuda_host {
namespace {

enum class Meeting { kFine, kRace, kUnordered };

// The same as came_before(), which most accesses of an operation ask of the same other one.
[[gnu::always_inline]] inline bool is_over(std::uint32_t before, std::uint32_t now,
                                           const Clock& clock) {
  thread_local std::uint32_t last_before = 0;
  thread_local std::uint32_t last_now = 0;
  if (before == last_before && now == last_now) return true;
  if (!came_before(before, clock)) return false;
  last_before = before;
  last_now = now;
  return true;
}

// An access that was entered before, and one of now.
[[gnu::always_inline]] inline Meeting meet(const Stamp& before, const Stamp& now, bool both_atomic,
                                           const Clock* clock) {
  if (!before.any() || both_atomic) return Meeting::kFine;
  if (before.operation() != now.operation()) {
    if (clock == nullptr || is_over(before.operation(), now.operation(), *clock)) {
      return Meeting::kFine;
    }
    return Meeting::kUnordered;
  }
  if (before.block() != now.block()) return Meeting::kRace;
  if (before.interval() != now.interval()) return Meeting::kFine;
  return before.thread() == now.thread() ? Meeting::kFine : Meeting::kRace;
}

// Who has read, with one more.
[[gnu::always_inline]] inline Stamp with(const Stamp& readers, const Stamp& one) {
  if (!readers.any() || readers.operation() != one.operation()) return one;
  const auto joined = [&] {
    if (readers.many_blocks()) return readers;
    if (readers.block() != one.block()) return readers.with_many_blocks();
    if (readers.interval() != one.interval()) return one;
    return readers.thread() == one.thread() ? readers : readers.with_many_threads();
  };
  return readers.constant() || one.constant() ? joined().as_constant() : joined();
}

// Whether one of the two read as constant what the other one of the same operation writes.
[[gnu::always_inline]] inline bool is_not_constant(const Stamp& write, const Stamp& read,
                                                   const Stamp& who, Touch how) {
  const Stamp& other = is_read(how) ? write : read;
  const bool constant = is_read(how) ? how == Touch::kConstant : read.constant();
  return constant && other.any() && other.operation() == who.operation();
}

unsigned grain_of(std::size_t offset, std::size_t bytes) {
  unsigned grain = 3;
  while (grain > 0 && ((offset | bytes) & ((std::size_t{1} << grain) - 1)) != 0) --grain;
  return grain;
}

}  // namespace

std::string say(const Stamp& stamp) {
  if (stamp.many_blocks()) return "several blocks";
  const std::string block = fmt::format("block {}", stamp.block());
  if (stamp.thread() == Stamp::kMany) return block + ", several threads";
  if (stamp.thread() == Stamp::kCopier) return block + ", a bulk copy";
  return fmt::format("{}, thread {}", block, stamp.thread());
}

class Shadow::Held {
 public:
  explicit Held(Page& page) : page_(page) {
    while (page_.busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Held() { page_.busy.clear(std::memory_order_release); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  Page& page_;
};

Shadow::Shadow(std::size_t bytes) : pages_(new Page[(bytes + kPage - 1) / kPage]) {}

inline void Shadow::refine(Page& page, unsigned grain) {
  if (page.cells != nullptr && grain >= page.grain) return;
  make_finer(page, grain);
}

void Shadow::make_finer(Page& page, unsigned grain) {
  if (page.cells == nullptr) {
    page.grain = std::min(page.grain, grain);
    page.cells = std::make_unique<Cell[]>(kPage >> page.grain);
    return;
  }
  auto finer = std::make_unique<Cell[]>(kPage >> grain);
  for (std::size_t i = 0; i < kPage >> grain; ++i) {
    finer[i] = page.cells[i >> (page.grain - grain)];
  }
  page.cells = std::move(finer);
  page.grain = grain;
}

std::optional<Clash> Shadow::touch(std::size_t offset, std::size_t bytes, const Stamp& who,
                                   Touch how, const Clock* clock, bool want_written) {
  std::optional<Clash> clash;
  const std::size_t end = offset + bytes;
  while (offset < end) {
    Page& page = pages_[offset / kPage];
    const std::size_t part = std::min(end, (offset / kPage + 1) * kPage) - offset;
    const Held held(page);
    refine(page, grain_of(offset, part));
    Cell* cell = &page.cells[offset % kPage >> page.grain];
    for (std::size_t at = 0; at < part; at += std::size_t{1} << page.grain, ++cell) {
      const bool fresh =
          !cell->write.any() || (clock == nullptr && cell->write.operation() != who.operation());
      if (how != Touch::kWrite && want_written && fresh) {
        if (!clash) clash = {Clash::Kind::kUnwritten, offset + at, {}, false};
      }
      if (is_not_constant(cell->write, cell->read, who, how)) {
        if (!clash) clash = {Clash::Kind::kNotConstant, offset + at, {}, is_read(how)};
      }
      const bool atomic = how == Touch::kAtomic && cell->write.atomic();
      Meeting met = meet(cell->write, who, atomic, clock);
      bool wrote = true;
      if (met == Meeting::kFine && !is_read(how)) {
        met = meet(cell->read, who, false, clock);
        wrote = false;
      }
      if (met != Meeting::kFine && !clash) {
        clash = {met == Meeting::kRace ? Clash::Kind::kRace : Clash::Kind::kUnordered, offset + at,
                 wrote ? cell->write : cell->read, wrote};
      }
      if (is_read(how)) {
        cell->read = with(cell->read, how == Touch::kConstant ? who.as_constant() : who);
      } else {
        cell->write = how == Touch::kAtomic ? who.as_atomic() : who;
        cell->read = {};
      }
    }
    offset += part;
  }
  return clash;
}

Stamp Shadow::writer(std::size_t offset) {
  Page& page = pages_[offset / kPage];
  const Held held(page);
  return page.cells == nullptr ? Stamp{} : page.cells[offset % kPage >> page.grain].write;
}

void Shadow::set_writer(std::size_t offset, std::size_t bytes, const Stamp& who) {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    Page& page = pages_[offset / kPage];
    const std::size_t part = std::min(end, (offset / kPage + 1) * kPage) - offset;
    const Held held(page);
    refine(page, grain_of(offset, part));
    Cell* cell = &page.cells[offset % kPage >> page.grain];
    for (std::size_t at = 0; at < part; at += std::size_t{1} << page.grain, ++cell) {
      *cell = {who, {}};
    }
    offset += part;
  }
}

}  // namespace rackproof::cuda_host
