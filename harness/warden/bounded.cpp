#include "harness/warden/bounded.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "harness/support/clock.hpp"
#include "harness/warden/spawn.hpp"

namespace rackproof::warden {
namespace {

constexpr std::size_t kMostBounded = std::size_t{16} << 20;
// For what got KILL: one that is not in the kernel is gone at once.
constexpr double kBoundedDeath = 0.5;
// For descriptors that what it started still holds, once it has ended itself.
constexpr double kBoundedRest = 0.25;
constexpr double kBoundedTick = 0.02;

// Closes the descriptor at the end of what is said.
void take_bounded(support::Fd& from, std::string& text) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return from.reset();
    const auto room = kMostBounded - std::min(kMostBounded, text.size());
    text.append(buffer.data(), std::min(static_cast<std::size_t>(n), room));
  }
}

bool reap_bounded(pid_t pid, Bounded& result) {
  int status = 0;
  const pid_t ended = waitpid(pid, &status, WNOHANG);
  if (ended != pid) return ended < 0 && errno == ECHILD;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void wait_for_bounded(const Spawned& child, double seconds) {
  std::array<pollfd, 3> ready{pollfd{child.out.get(), POLLIN, 0},
                              pollfd{child.err.get(), POLLIN, 0},
                              pollfd{child.pidfd.get(), POLLIN, 0}};
  const int milliseconds = std::clamp(static_cast<int>(seconds * 1000) + 1, 1, 500);
  poll(ready.data(), ready.size(), milliseconds);
}

}  // namespace

Bounded run_bounded(const std::vector<std::string>& arguments, const BoundedTerms& terms) {
  Bounded result;
  support::SystemClock clock;
  const double until = clock.now() + terms.seconds;
  Spawned child = spawn(arguments, terms.environment, nullptr);
  child.in.reset();
  if (!child.error.empty()) {
    result.error = child.error;
    if (child.pid > 0) waitpid(child.pid, nullptr, 0);
    return result;
  }
  bool over = false;
  while (!over) {
    if (child.out) take_bounded(child.out, result.out);
    if (child.err) take_bounded(child.err, result.err);
    if (terms.one_line && result.out.find('\n') != std::string::npos) break;
    over = reap_bounded(child.pid, result);
    if (over) break;
    const double left = until - clock.now();
    if (left <= 0) {
      result.late = true;
      break;
    }
    wait_for_bounded(child, left);
    // Both ends closed while it lives on: the end of the process itself is waited for.
    if (!child.out && !child.err) clock.sleep(std::min(left, kBoundedTick));
  }
  const double rest = clock.now() + (over ? kBoundedRest : 0);
  while (over && (child.out || child.err) && clock.now() < rest) {
    if (child.out) take_bounded(child.out, result.out);
    if (child.err) take_bounded(child.err, result.err);
    if (child.out || child.err) clock.sleep(kBoundedTick);
  }
  kill(-child.pid, SIGKILL);
  for (const double end = clock.now() + kBoundedDeath; !over && clock.now() < end;) {
    over = reap_bounded(child.pid, result);
    if (!over) clock.sleep(kBoundedTick);
  }
  if (!over) result.left_behind = child.pid;
  return result;
}

}  // namespace rackproof::warden
