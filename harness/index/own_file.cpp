#include "harness/index/own_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "harness/index/sqlite.hpp"

namespace rackproof::index {

namespace fs = std::filesystem;

// SQLite takes some names to mean something else, and follows no links here.
std::string full_path(const std::string& path) {
  const fs::path given(path);
  std::error_code error;
  const fs::path folder =
      fs::canonical(given.has_parent_path() ? given.parent_path() : fs::path("."), error);
  if (error) throw IndexError(error.message());
  // Who may write there may leave a journal, which SQLite would write into the index.
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) != 0) {
    throw IndexError("everybody can write to its folder");
  }
  return (folder / given.filename()).string();
}

bool require_own_file(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    throw IndexError(std::generic_category().message(errno));
  }
  if (!S_ISREG(status.st_mode)) throw IndexError("is no regular file");
  if (status.st_uid != 0 && status.st_uid != geteuid()) throw IndexError("belongs to another user");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) throw IndexError("can be written by others");
  return true;
}

// Readable by its user only, as reports are.
void create_own_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
  } else if (errno != EEXIST) {
    throw IndexError(std::generic_category().message(errno));
  }
}

bool is_database_of(const std::string& path, std::uint32_t application) {
  constexpr std::size_t kHeader = 100;
  constexpr std::size_t kMark = 68;
  std::ifstream file(path, std::ios::binary);
  std::string header(kHeader, '\0');
  if (!file.read(header.data(), static_cast<std::streamsize>(header.size()))) return false;
  std::uint32_t found = 0;
  for (std::size_t i = kMark; i < kMark + 4; ++i) {
    found = found << 8U | static_cast<unsigned char>(header[i]);
  }
  return header.starts_with("SQLite format 3") && found == application;
}

bool discard_database(const std::string& path, std::uint32_t application) {
  if (!is_database_of(path, application)) return false;
  std::error_code error;
  fs::remove(path + "-journal", error);
  return fs::remove(path, error);
}

}  // namespace rackproof::index
