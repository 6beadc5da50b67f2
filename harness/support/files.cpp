#include "harness/support/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/support/content.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::support {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

// A link to a folder that is open already is not followed.
void collect(const fs::path& folder, std::set<fs::path>& open, std::vector<std::string>& files) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error) throw UsageError(folder.string() + ": cannot be read: " + error.message());
  if (!open.insert(real).second) return;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
  if (error) throw UsageError(folder.string() + ": cannot be read: " + error.message());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (name.front() == '.') continue;
    if (fs::is_directory(entry, error)) {
      collect(entry, open, files);
    } else if (name.ends_with(".json") || name.ends_with(".json.zst")) {
      files.push_back(entry.string());
    }
  }
  open.erase(real);
}

}  // namespace

std::vector<std::string> names_in(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  // One that may not be read, or for which no descriptor is left, is not empty.
  if (error && error != std::errc::no_such_file_or_directory) {
    throw UsageError(folder + ": cannot be read: " + error.message());
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.size() > ending.size() && name.ends_with(ending)) {
      names.push_back(name.substr(0, name.size() - ending.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> json_files_in(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  std::set<fs::path> open;
  collect(path, open, files);
  if (files.empty()) throw UsageError(path + ": holds no file that ends in .json");
  return files;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw UsageError(path + ": there is no such file");
  }
  if (error) throw UsageError(path + ": cannot be read: " + error.message());
  if (fs::is_directory(status)) throw UsageError(path + ": is a directory, expected a file");
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (fs::is_regular_file(status) && fs::file_size(path, error) > kMost) {
    throw UsageError(path + ": is larger than 1 GiB");
  }
  // What is no regular file has no size to look at first, and may have no end.
  std::string text;
  const auto append = [&text](std::string_view part) {
    text += part;
    return text.size() <= kMost;
  };
  read_content(path, append, kMost);
  if (text.size() > kMost) throw UsageError(path + ": is larger than 1 GiB");
  return text;
}

InputFile::InputFile(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (is_compressed(descriptor_)) {
    const int compressed = std::exchange(descriptor_, -1);
    try {
      descriptor_ = decompressed_copy(compressed, path_);
    } catch (...) {
      ::close(compressed);
      throw;
    }
    ::close(compressed);
    if (fstat(descriptor_, &status) != 0) throw UsageError(path_ + ": cannot be read: " + reason());
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::read(std::uint64_t offset, std::size_t size, char* to) const {
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(path_ + ": cannot be read: " + reason());
    if (got == 0) throw UsageError(path_ + ": became shorter while it was read");
    offset += static_cast<std::uint64_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace rackproof::support
