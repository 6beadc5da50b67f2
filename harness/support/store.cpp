#include "harness/support/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "harness/support/fd.hpp"

namespace rackproof::support {
namespace {

// A journal of a long run of many devices is far below it.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{8} << 30;
constexpr std::size_t kPartBytes = std::size_t{256} << 10;

[[noreturn]] void fail(const std::string& path, const char* doing) {
  const int error = errno;
  throw StoreError(
      fmt::format("{}: cannot {}: {}", path, doing, std::generic_category().message(error)));
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      fail(path, "write");
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Fd fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) fsync(fd.get());
}

}  // namespace

void Store::write_parts_durably(const std::string& name,
                                const std::function<void(const Take&)>& write) {
  std::string bytes;
  write([&bytes](std::string_view part) { bytes += part; });
  write_durably(name, bytes);
}

bool Store::read_parts(const std::string& name, const Take& take) {
  const auto bytes = read(name);
  if (bytes) take(*bytes);
  return bytes.has_value();
}

DirectoryStore::DirectoryStore(std::string root, unsigned file_mode)
    : root_(std::move(root)), file_mode_(file_mode) {}

std::string DirectoryStore::path(const std::string& name) const { return root_ + "/" + name; }

void DirectoryStore::write_durably(const std::string& name, std::string_view bytes) {
  write_parts_durably(name, [bytes](const Take& take) { take(bytes); });
}

void DirectoryStore::write_parts_durably(const std::string& name,
                                         const std::function<void(const Take&)>& write) {
  const std::string target = path(name);
  const std::string temporary = fmt::format("{}.{}.tmp", target, getpid());
  // What lies there under this name is an earlier process's of the same number, or somebody's trap.
  unlink(temporary.c_str());
  Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               kOwnersAlone));
  if (!fd) fail(target, "create");
  try {
    std::string waiting;
    write([&](std::string_view part) {
      if (waiting.empty() && part.size() >= kPartBytes) {
        return write_all(fd.get(), part, target);
      }
      waiting += part;
      if (waiting.size() < kPartBytes) return;
      write_all(fd.get(), waiting, target);
      waiting.clear();
    });
    write_all(fd.get(), waiting, target);
    // Before it has its name: who looks for it there may read it at once.
    if (file_mode_ != kOwnersAlone && fchmod(fd.get(), file_mode_) != 0)
      fail(target, "change permissions");
    if (fsync(fd.get()) != 0) fail(target, "sync");
    fd.reset();
    if (std::rename(temporary.c_str(), target.c_str()) != 0) fail(target, "rename to");
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
  sync_folder_of(target);
}

void DirectoryStore::append(const std::string& name, std::string_view bytes) {
  const std::string target = path(name);
  const Fd fd(
      ::open(target.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, kOwnersAlone));
  if (!fd) fail(target, "open");
  write_all(fd.get(), bytes, target);
  if (fsync(fd.get()) != 0) fail(target, "sync");
  sync_folder_of(target);
}

std::optional<std::string> DirectoryStore::read(const std::string& name) {
  std::string text;
  if (!read_parts(name, [&](std::string_view part) { text += part; })) return std::nullopt;
  return text;
}

bool DirectoryStore::read_parts(const std::string& name, const Take& take) {
  const std::string target = path(name);
  std::error_code error;
  const auto status = std::filesystem::status(target, error);
  if (error && status.type() != std::filesystem::file_type::not_found) {
    throw StoreError(fmt::format("{}: cannot open: {}", target, error.message()));
  }
  if (!std::filesystem::is_regular_file(status)) return false;
  std::ifstream file(target, std::ios::binary);
  if (!file) fail(target, "open");
  if (std::filesystem::file_size(target, error) > kLargestFile) {
    throw StoreError(target + ": is larger than 8 GiB");
  }
  std::vector<char> part(kPartBytes);
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    if (file.bad()) fail(target, "read");
    take({part.data(), static_cast<std::size_t>(file.gcount())});
  }
  return true;
}

std::vector<std::string> DirectoryStore::list(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  const std::filesystem::directory_iterator entries(path(folder), error);
  // What cannot be looked at is not empty: a report without its journals would say less.
  if (error && error != std::errc::no_such_file_or_directory) {
    throw StoreError(fmt::format("{}: cannot list: {}", path(folder), error.message()));
  }
  for (const auto& entry : entries) {
    if (entry.is_regular_file(error)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool DirectoryStore::exists(const std::string& name) {
  std::error_code error;
  return std::filesystem::exists(path(name), error);
}

void DirectoryStore::rename(const std::string& from, const std::string& to) {
  if (std::rename(path(from).c_str(), path(to).c_str()) != 0) fail(path(to), "rename to");
  sync_folder_of(path(to));
}

void DirectoryStore::make_folder(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(path(name), error);
  if (error) throw StoreError(fmt::format("{}: cannot create: {}", path(name), error.message()));
}

}  // namespace rackproof::support
