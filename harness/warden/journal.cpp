#include "harness/warden/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace rackproof::warden {

bool Journal::fail(const char* doing) {
  error_ = path_ + ": cannot " + doing + ": " + std::generic_category().message(errno);
  return false;
}

bool Journal::open(const std::string& path) {
  path_ = path;
  fd_ = support::Fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  return fd_ ? true : fail("create");
}

bool Journal::append(std::string_view line) {
  if (!error_.empty() || !fd_) return false;
  std::string text = seal_.sealed(line);
  text += '\n';
  std::string_view rest = text;
  if (!is_there()) return false;
  const off_t before = written_;
  while (!rest.empty()) {
    const ssize_t n = ::write(fd_.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      fail("write");
      if (before >= 0 && rest.size() != text.size()) {
        if (ftruncate(fd_.get(), before) != 0)
          error_ += " (and the torn line could not be cut off)";
      }
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  written_ += static_cast<long>(text.size());
  return true;
}

bool Journal::is_there() {
  struct stat own {};
  struct stat named {};
  const char* what = nullptr;
  if (fstat(fd_.get(), &own) != 0) return fail("look at");
  if (stat(path_.c_str(), &named) != 0) {
    what = "it is not there any more";
  } else if (named.st_ino != own.st_ino || named.st_dev != own.st_dev) {
    what = "another file has its name";
  } else if (own.st_size < written_) {
    what = "it is shorter than what was written";
  }
  if (what == nullptr) return true;
  lost_ = true;
  error_ = path_ + ": " + what + ": somebody removed, renamed or cut it while the run went on";
  return false;
}

bool Journal::sync() {
  if (!error_.empty() || !fd_) return false;
  if (fdatasync(fd_.get()) == 0 || errno == EINVAL || errno == EROFS) {
    synced_ = lseek(fd_.get(), 0, SEEK_END);
    return true;
  }
  fail("sync");
  if (ftruncate(fd_.get(), synced_) != 0)
    error_ += " (and what was not synced could not be cut off)";
  return false;
}

void Journal::close() { fd_.reset(); }

}  // namespace rackproof::warden
