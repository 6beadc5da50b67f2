#include "harness/telemetry/file_columns.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "harness/telemetry/missing.hpp"

namespace rackproof::telemetry {

KeptFile::~KeptFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

KeptFile::KeptFile(KeptFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

std::string_view KeptFile::read(int& error) {
  thread_local std::array<char, 65536> buffer;
  error = 0;
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    error = errno;
    return {};
  }
  std::size_t have = 0;
  while (have < buffer.size()) {
    const ssize_t count =
        ::pread(descriptor_, buffer.data() + have, buffer.size() - have, static_cast<off_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      error = errno;
      // The device may be gone and come back as another file of that name.
      ::close(std::exchange(descriptor_, -1));
      return {};
    }
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
    // The kernel gives its small files whole, in one piece of at most a page.
    if (count < 4096 && have < 4096) break;
  }
  return {buffer.data(), have};
}

double number_in(std::string_view text, int error) {
  if (error != 0) return missing(Why::kSystem, static_cast<std::uint32_t>(error));
  long long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{}) {
    const auto rest = static_cast<std::size_t>(end - text.data());
    if (text.find_first_not_of(" \t\n", rest) == std::string_view::npos) {
      return static_cast<double>(value);
    }
  } else if (problem == std::errc::result_out_of_range) {
    unsigned long long large = 0;  // a counter of 64 bits that is full
    if (std::from_chars(text.data(), text.data() + text.size(), large).ec == std::errc{}) {
      return static_cast<double>(large);
    }
  }
  return missing(Why::kNonsense);
}

namespace {

// What stands behind a word at the start of a line.
std::string_view behind(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(word) && line.substr(word.size()).starts_with(' ')) {
      return line.substr(word.size() + 1);
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

}  // namespace

FileColumns::FileColumns(const std::vector<FileColumn>& files) {
  for (const FileColumn& file : files) {
    columns_.push_back(file.column);
    entries_.push_back({file, KeptFile(file.path)});
  }
}

double FileColumns::read_entry(Entry& entry) const {
  int error = 0;
  std::string_view text = entry.file.read(error);
  if (!entry.what.after.empty()) text = behind(text, entry.what.after);
  double value = number_in(text, error);
  if (!is_value(value)) return value;
  const FileColumn& what = entry.what;
  if (value < what.least || value > what.most) return missing(Why::kNonsense);
  if (what.wraps_at > 0) {
    if (value < entry.last) entry.turns += what.wraps_at;
    entry.last = value;
    value += entry.turns;
  }
  return value * what.scale;
}

void FileColumns::read(Moment moment, std::span<double> values) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    values[i] =
        moment.due(entries_[i].what.every) ? read_entry(entries_[i]) : missing(Why::kNotDue);
  }
}

}  // namespace rackproof::telemetry
