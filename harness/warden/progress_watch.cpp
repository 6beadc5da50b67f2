#include "harness/warden/progress_watch.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "benches/protocol/json_writer.hpp"
#include "harness/warden/standstill.hpp"

namespace rackproof::warden {
namespace {

using contract::ProgressPage;

constexpr int kSize = sizeof(ProgressPage);

support::Fd make_file() {
  support::Fd file(static_cast<int>(
      syscall(SYS_memfd_create, "rackproof-progress", MFD_CLOEXEC | MFD_ALLOW_SEALING)));
  if (!file || ftruncate(file.get(), kSize) != 0) return {};
  // Memory that somebody else could cut off would end this process.
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return {};
  return file;
}

// What is no text was not written by a bench of ours.
std::string text_of(const ProgressPage::Title& title) {
  std::array<std::uint64_t, ProgressPage::kTitleWords> words{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = title.text[i].load(std::memory_order_relaxed);
  }
  std::string text(sizeof(words), '\0');
  std::memcpy(text.data(), words.data(), sizeof(words));
  text.resize(std::min(text.find('\0'), text.size()));
  const bool printable = std::none_of(
      text.begin(), text.end(), [](char one) { return static_cast<unsigned char>(one) < ' '; });
  return printable && protocol::is_utf8(text) ? text : "";
}

std::optional<model::Progress> read(const ProgressPage& page) {
  model::Progress told;
  // Who has said nothing so far has come to nothing; whoever has another page is not understood.
  const auto version = page.version.load(std::memory_order_acquire);
  if (version == 0) return told;
  if (version != ProgressPage::kVersion) return std::nullopt;
  // Read again until nothing moved meanwhile; who moves that fast does not stand still, and what is
  // read of it does not matter.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t entered = page.entered.load(std::memory_order_acquire);
    told.entered = contract::unpacked(entered);
    told.completed = contract::unpacked(page.completed.load(std::memory_order_acquire));
    const auto span = page.span.load(std::memory_order_acquire);
    constexpr std::uint64_t kMostSpan = 1'000'000'000;
    told.span = static_cast<std::int64_t>(std::clamp<std::uint64_t>(span, 1, kMostSpan));
    const auto& title = page.titles[static_cast<std::size_t>(told.entered.cell % 2)];
    told.operation = text_of(title);
    told.bytes = std::max<std::int64_t>(0, title.bytes.load(std::memory_order_acquire));
    std::atomic_thread_fence(std::memory_order_acquire);
    if (page.entered.load(std::memory_order_relaxed) == entered) break;
  }
  return told;
}

}  // namespace

ProgressMemory::ProgressMemory() : file_(make_file()) {
  if (!file_) return;
  void* const at = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) {
    file_.reset();
    return;
  }
  page_ = std::shared_ptr<ProgressPage>(new (at) ProgressPage,
                                        [](ProgressPage* page) { munmap(page, kSize); });
}

void clear(ProgressPage& page) {
  page.version.store(0, std::memory_order_release);
  page.entered.store(0, std::memory_order_release);
  page.completed.store(0, std::memory_order_release);
  page.span.store(0, std::memory_order_release);
}

ProgressWatch::ProgressWatch(std::shared_ptr<const ProgressMemory> memory, double now)
    : memory_(std::move(memory)), looked_at_(now) {}

bool ProgressWatch::has_moved() {
  const ProgressPage& page = *memory_->page();
  const std::uint64_t entered = page.entered.load(std::memory_order_acquire);
  const std::uint64_t completed = page.completed.load(std::memory_order_acquire);
  const bool moved = entered != entered_ || completed != completed_;
  entered_ = entered;
  completed_ = completed;
  return moved;
}

// Whoever pauses the whole job pauses this process too: that time does not count.
double ProgressWatch::passed(double now) const {
  return std::min(now - looked_at_, 2 * kLookSeconds);
}

void ProgressWatch::look(double now) {
  if (memory_->page() == nullptr || now < next_look()) return;
  still_for_ = has_moved() ? 0 : still_for_ + passed(now);
  looked_at_ = now;
}

double ProgressWatch::next_look() const {
  if (memory_->page() == nullptr) return std::numeric_limits<double>::infinity();
  return looked_at_ + kLookSeconds;
}

void ProgressWatch::keep(double now, const model::Reason<model::ProcessState>& state) {
  if (memory_->page() == nullptr || std::exchange(is_kept_, true)) return;
  kept_ = read(*memory_->page());
  if (!kept_) return;
  kept_->still_seconds = has_moved() ? 0 : still_for_ + passed(now);
  kept_->state = state;
}

}  // namespace rackproof::warden
