#include "harness/index/digest.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <string_view>
#include <system_error>

#include "harness/index/codec.hpp"
#include "harness/support/content.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::index {
namespace {

constexpr std::int64_t kQuietSeconds = 1;

class File {
 public:
  // Without waiting: a pipe has no other end here.
  explicit File(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::int64_t seconds_now() { return static_cast<std::int64_t>(std::time(nullptr)); }

}  // namespace

Stamp stamp_of(const struct stat& status, std::int64_t now) {
  if (!S_ISREG(status.st_mode) || status.st_ctim.tv_sec + kQuietSeconds >= now) return {};
  Writer writer;
  writer.number(status.st_dev);
  writer.number(status.st_ino);
  writer.number(static_cast<std::uint64_t>(status.st_size));
  for (const timespec& time : {status.st_mtim, status.st_ctim}) {
    writer.number(static_cast<std::uint64_t>(time.tv_sec));
    writer.number(static_cast<std::uint64_t>(time.tv_nsec));
  }
  return writer.take();
}

bool keeps_times(long type) {
  constexpr std::array<long, 5> kOwn = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                        F2FS_SUPER_MAGIC, TMPFS_MAGIC};
  return std::find(kOwn.begin(), kOwn.end(), type) != kOwn.end();
}

Stamp stamp_of_file(const std::string& path) {
  const std::int64_t now = seconds_now();
  struct stat status {};
  struct statfs system {};
  if (stat(path.c_str(), &status) != 0 || statfs(path.c_str(), &system) != 0) return {};
  return keeps_times(system.f_type) ? stamp_of(status, now) : Stamp();
}

std::optional<Content> read_content(const std::string& path) {
  const Stamp before = stamp_of_file(path);
  struct stat status {};
  // Before it is opened: who writes to a pipe would take that for its reader.
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const File file(path);
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) return {};
  support::Sha256 hash;
  try {
    support::read_content(file.descriptor(), [&hash](std::string_view part) {
      hash.update(part);
      return true;
    });
  } catch (const support::BadZstd&) {
    return {};
  } catch (const std::system_error&) {
    return {};
  }
  return Content{hash.bytes(), stamp_of_file(path) == before ? before : Stamp()};
}

}  // namespace rackproof::index
