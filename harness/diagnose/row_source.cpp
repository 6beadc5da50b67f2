#include "harness/diagnose/row_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/support/errors.hpp"
#include "harness/support/parallel.hpp"

namespace rackproof::diagnose {
namespace {

/// Large enough that threads seldom meet, small enough to stay in a cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
/// Whole lines, followed by room for the reader.
struct Lines {
  std::vector<char> bytes = std::vector<char>(kBlockBytes + ingest::kRowPadding);
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
    throw support::UsageError(path_ +
                              ": cannot be read: " + std::generic_category().message(errno));
  }

  /// Reads on until the block is full. Gives the bytes of its whole lines; at the end, all.
  std::size_t fill(Lines& lines) {
    while (true) {
      while (lines.size < lines.bytes.size() - ingest::kRowPadding) {
        const ssize_t got = ::read(descriptor_, lines.bytes.data() + lines.size,
                                   lines.bytes.size() - ingest::kRowPadding - lines.size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail();
        if (got == 0) return lines.size;
        lines.size += static_cast<std::size_t>(got);
      }
      const void* last = memrchr(lines.bytes.data(), '\n', lines.size);
      if (last != nullptr) {
        return static_cast<std::size_t>(static_cast<const char*>(last) - lines.bytes.data()) + 1;
      }
      if (lines.size > ingest::kMaxRowBytes) return lines.size;  // the reader refuses it
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

ingest::ReadRows read_all(LineSource& source, support::FirstError& errors) {
  ingest::RowReader reader;
  ingest::ReadRows result;
  Lines lines;
  while (true) {
    try {
      if (!source.next(lines)) break;
      result.blocks.push_back(reader.read({lines.bytes.data(), lines.size}, lines.first_line));
    } catch (const ingest::BadRow& bad) {
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

ingest::RowTable load_rows(const std::string& path) {
  LineSource source(path);
  support::FirstError errors;
  std::vector<ingest::ReadRows> parts(support::core_count());
  support::on_all_cores(parts.size(), [&](std::size_t i) { parts[i] = read_all(source, errors); });
  try {
    errors.rethrow();
    return ingest::RowTable(std::move(parts));
  } catch (const ingest::BadRow& bad) {
    throw support::UsageError(path + ": " + bad.what());
  }
}

}  // namespace rackproof::diagnose
