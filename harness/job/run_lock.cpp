#include "harness/job/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "harness/support/clock.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::job {
namespace {

constexpr double kLookAgainSeconds = 0.05;

std::string owner_of(const support::Fd& lock) {
  std::array<char, 400> text{};
  const ssize_t n = pread(lock.get(), text.data(), text.size(), 0);
  std::string_view line(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  line = line.substr(0, line.find('\n'));
  return line.empty() ? "another run" : model::printable(line);
}

}  // namespace

support::Fd lock_directory(const std::string& directory, double seconds) {
  const std::string path = directory + "/" + kLockName;
  support::Fd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock) {
    throw support::UsageError(
        fmt::format("{}: cannot be opened: {}", path, std::generic_category().message(errno)));
  }
  support::SystemClock clock;
  const double until = clock.now() + seconds;
  while (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return {};
    if (clock.now() >= until) {
      throw support::UsageError(fmt::format("{}: is in use by {}", directory, owner_of(lock)));
    }
    clock.sleep(kLookAgainSeconds);
  }
  return lock;
}

void sign_lock(const support::Fd& lock) {
  if (!lock) return;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string line = fmt::format("process {} on {}, which began at {}\n", getpid(),
                                       host.data(), support::SystemClock().utc());
  // Only for people: whether the directory is free is the kernel's to say.
  if (ftruncate(lock.get(), 0) != 0) return;
  const ssize_t written = pwrite(lock.get(), line.data(), line.size(), 0);
  static_cast<void>(written);
}

}  // namespace rackproof::job
