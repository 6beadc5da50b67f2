#include "harness/cli/row_source.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "harness/cli/program.hpp"

namespace rackproof::cli {
namespace {

/// Large enough that threads seldom meet, small enough to stay in a cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
/// More than these do not read faster.
constexpr std::size_t kMostThreads = 16;

std::size_t thread_count() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
}

/// Threads that are joined whatever happens.
class Crew {
 public:
  Crew(std::size_t size, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = 0; i < size; ++i) threads_.emplace_back(work, i);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

/// Whole lines, followed by room for the reader.
struct Lines {
  std::vector<char> bytes = std::vector<char>(kBlockBytes + wire::kRowPadding);
  std::size_t size = 0;
  std::size_t first_line = 0;
};

/// Hands out a file in blocks of whole lines, to several threads, in the order of the file.
class LineSource {
 public:
  explicit LineSource(const std::string& path)
      : path_(path), descriptor_(path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail();
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      fail();
    }
  }
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource() {
    if (descriptor_ > 0) ::close(descriptor_);
  }

  /// False at the end, and after stop().
  bool next(Lines& lines) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    lines.size = rest_.size();
    std::copy(rest_.begin(), rest_.end(), lines.bytes.begin());
    std::size_t whole = fill(lines);
    rest_.assign(lines.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                 lines.bytes.begin() + static_cast<std::ptrdiff_t>(lines.size));
    lines.size = whole;
    lines.first_line = line_;
    line_ += static_cast<std::size_t>(std::count(
        lines.bytes.begin(), lines.bytes.begin() + static_cast<std::ptrdiff_t>(whole), '\n'));
    return whole > 0;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw UsageError(path_ + ": cannot be read: " + std::generic_category().message(errno));
  }

  /// Reads on until the block is full. Gives the bytes of its whole lines; at the end, all.
  std::size_t fill(Lines& lines) {
    while (true) {
      while (lines.size < lines.bytes.size() - wire::kRowPadding) {
        const ssize_t got = ::read(descriptor_, lines.bytes.data() + lines.size,
                                   lines.bytes.size() - wire::kRowPadding - lines.size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail();
        if (got == 0) return lines.size;
        lines.size += static_cast<std::size_t>(got);
      }
      const void* last = memrchr(lines.bytes.data(), '\n', lines.size);
      if (last != nullptr) {
        return static_cast<std::size_t>(static_cast<const char*>(last) - lines.bytes.data()) + 1;
      }
      if (lines.size > wire::kMaxRowBytes) return lines.size;  // the reader refuses it
      lines.bytes.resize(2 * lines.bytes.size());
    }
  }

  std::string path_;
  int descriptor_;
  std::mutex mutex_;
  std::vector<char> rest_;
  std::size_t line_ = 1;
  bool stopped_ = false;
};

/// The first error in the order of lines, whichever thread met it when.
class FirstError {
 public:
  void add(std::size_t line, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr && line >= line_) return;
    line_ = line;
    error_ = std::move(error);
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::size_t line_ = 0;
  std::exception_ptr error_;
};

wire::ReadRows read_all(LineSource& source, FirstError& errors) {
  wire::RowReader reader;
  wire::ReadRows result;
  Lines lines;
  while (true) {
    try {
      if (!source.next(lines)) break;
      result.blocks.push_back(reader.read({lines.bytes.data(), lines.size}, lines.first_line));
    } catch (const wire::BadRow& bad) {
      source.stop();
      errors.add(bad.line, std::current_exception());
    } catch (...) {
      source.stop();
      errors.add(0, std::current_exception());
    }
  }
  result.metrics = reader.metrics();
  return result;
}

}  // namespace

wire::RowTable load_rows(const std::string& path) {
  LineSource source(path);
  FirstError errors;
  std::vector<wire::ReadRows> parts(thread_count());
  {
    const Crew crew(parts.size(), [&](std::size_t i) { parts[i] = read_all(source, errors); });
  }
  try {
    errors.rethrow();
    return wire::RowTable(std::move(parts));
  } catch (const wire::BadRow& bad) {
    throw UsageError(path + ": " + bad.what());
  }
}

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 64 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, 16 * kMiB);
#endif
}

void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  FirstError errors;
  {
    const Crew crew(std::min(count, thread_count()), [&](std::size_t) {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          work(i);
        } catch (...) {
          errors.add(i, std::current_exception());
        }
      }
    });
  }
  errors.rethrow();
}

}  // namespace rackproof::cli
