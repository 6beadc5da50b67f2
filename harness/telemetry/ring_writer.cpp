#include "harness/telemetry/ring_writer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

namespace rackproof::telemetry {
namespace {

constexpr std::uint64_t kLeastSlots = 10;
// Pages behind the writer stay in the page cache without counting as this process's memory.
constexpr std::size_t kForgetWords = (std::size_t{1} << 20) / 8;

[[noreturn]] void refuse(const std::string& path, const std::string& what, int error) {
  throw RecordingError(path + ": " + what + ": " + std::system_category().message(error));
}

// What may be written over: nothing, an empty file, or an older recording.
void refuse_foreign_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return;
  if (file < 0) refuse(path, "cannot be opened", errno);
  std::array<char, sizeof kMagic> begin{};
  const ssize_t count = ::read(file, begin.data(), begin.size());
  ::close(file);
  if (count == 0) return;
  if (count != sizeof kMagic || std::memcmp(begin.data(), kMagic, sizeof kMagic) != 0) {
    throw RecordingError(path + ": is there already and is no recording; choose another name");
  }
}

void store(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_relaxed);
}

}  // namespace

RingWriter::RingWriter(const std::string& path, About about, std::size_t most_bytes)
    : path_(path), about_(std::move(about)) {
  slot_words_ = kSlotHead + about_.columns.size();
  head_words_ = head_words(about_, 0, 0).size();
  const std::size_t room = most_bytes / 8 > head_words_ ? most_bytes / 8 - head_words_ : 0;
  slots_ = room / slot_words_;
  if (slots_ < kLeastSlots) {
    throw RecordingError(path_ + ": " + std::to_string(most_bytes) +
                         " bytes are too few for ten samples of " +
                         std::to_string(about_.columns.size()) + " columns");
  }
  scratch_.assign(slot_words_, 0);
  refuse_foreign_file(path_);
  make_file((head_words_ + slots_ * slot_words_) * 8, head_words(about_, slots_, 0));
}

void RingWriter::make_file(std::size_t bytes, std::span<const std::uint64_t> head) {
  const std::string fresh = path_ + ".part";
  ::unlink(fresh.c_str());
  descriptor_ = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0) refuse(path_, "cannot be made", errno);
  // All of the room at once: a full disk would otherwise be a SIGBUS in the middle of a run.
  int error = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  void* map = MAP_FAILED;
  if (error == 0) {
    map = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (map == MAP_FAILED) error = errno;
  }
  if (error == 0) {
    words_ = static_cast<std::uint64_t*>(map);
    std::memcpy(words_, head.data(), head.size_bytes());
    if (std::rename(fresh.c_str(), path_.c_str()) != 0) error = errno;
  }
  if (error == 0) return;
  if (map != MAP_FAILED) ::munmap(map, bytes);
  ::close(descriptor_);
  ::unlink(fresh.c_str());
  refuse(path_, "no room for a recording of " + std::to_string(bytes) + " bytes", error);
}

RingWriter::~RingWriter() {
  if (descriptor_ < 0) return;
  ::munmap(words_, (head_words_ + slots_ * slot_words_) * 8);
  ::close(descriptor_);
}

void RingWriter::add(std::uint64_t monotonic_ns, std::span<const double> values) {
  if (values.size() + kSlotHead != slot_words_) {
    throw std::logic_error("a sample has one value for each column");
  }
  const std::uint64_t number = sequence_ + 1;
  scratch_[0] = monotonic_ns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    scratch_[1 + i] = std::bit_cast<std::uint64_t>(values[i]);
  }
  const std::uint64_t seal = seal_of(number, std::span(scratch_).first(1 + values.size()));
  const std::size_t at = head_words_ + (sequence_ % slots_) * slot_words_;
  std::uint64_t* const slot = words_ + at;
  // Without a number it is no sample: neither the one that it was nor the one that it becomes.
  store(slot[0], 0);
  std::atomic_thread_fence(std::memory_order_release);
  store(slot[1], monotonic_ns);
  store(slot[2], seal);
  for (std::size_t i = 0; i < values.size(); ++i) store(slot[kSlotHead + i], scratch_[1 + i]);
  std::atomic_ref<std::uint64_t>(slot[0]).store(number, std::memory_order_release);
  sequence_ = number;
  forget_pages(at);
}

void RingWriter::forget_pages(std::size_t up_to_word) {
  if (up_to_word < forgotten_) forgotten_ = 0;  // it began again at the first slot
  if (up_to_word - forgotten_ < kForgetWords) return;
  const std::size_t page_words = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 8;
  const std::size_t from = forgotten_ / page_words * page_words;
  const std::size_t to = up_to_word / page_words * page_words;
  // Advice: the file keeps every byte, and nothing is lost when it is not taken.
  (void)::madvise(words_ + from, (to - from) * 8, MADV_DONTNEED);
  forgotten_ = to;
}

void RingWriter::close(std::uint64_t monotonic_ns) {
  if (descriptor_ < 0) return;
  const std::uint64_t used = sequence_ < slots_ ? sequence_ : slots_;
  const std::vector<std::uint64_t> head = head_words(about_, used, monotonic_ns);
  ::munmap(words_, (head_words_ + slots_ * slot_words_) * 8);
  const int file = std::exchange(descriptor_, -1);
  const std::size_t bytes = head.size() * 8;
  int error = 0;
  // The head first: a file that is longer than its head says is read, a shorter one is refused.
  if (::pwrite(file, head.data(), bytes, 0) != static_cast<ssize_t>(bytes)) error = EIO;
  if (error == 0 &&
      ::ftruncate(file, static_cast<off_t>((head_words_ + used * slot_words_) * 8)) != 0) {
    error = errno;
  }
  if (error == 0 && ::fsync(file) != 0) error = errno;
  ::close(file);
  if (error != 0) refuse(path_, "cannot be closed", error);
}

}  // namespace rackproof::telemetry
