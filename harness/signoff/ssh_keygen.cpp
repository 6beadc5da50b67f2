#include "harness/signoff/ssh_keygen.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "harness/support/clock.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/fd.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::signoff {
namespace {

// What it says of a signature is a line or two.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr double kAskSeconds = 60;
constexpr int kTickMilliseconds = 500;

struct Pipe {
  support::Fd read;
  support::Fd write;

  Pipe() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    read = support::Fd(ends[0]);
    write = support::Fd(ends[1]);
  }
};

// Gives false at the end of what is said.
bool take(const support::Fd& from, std::string& text, bool show) {
  std::array<char, 4096> buffer{};
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  const auto size = static_cast<std::size_t>(n);
  if (text.size() < kMostBytes) text.append(buffer.data(), size);
  if (show && n > 0) {
    const ssize_t ignored = ::write(STDERR_FILENO, buffer.data(), size);
    static_cast<void>(ignored);
  }
  return n > 0;
}

std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty() || line.front() == '@') continue;
    out += (out.empty() ? "" : " ") + model::printable(line);
  }
  while (out.ends_with(' ') || out.ends_with('.')) out.pop_back();
  return out;
}

// `message` is the descriptor that becomes its stdin; ours when it is none.
SshKeygen::Answer run(const std::string& path, const std::vector<std::string>& words,
                      const support::Fd* message) {
  std::vector<std::string> texts = words;
  std::vector<char*> arguments = {const_cast<char*>(path.c_str())};
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  Pipe out;
  Pipe err;
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    if (message != nullptr) dup2(message->get(), STDIN_FILENO);
    dup2(out.write.get(), STDOUT_FILENO);
    dup2(err.write.get(), STDERR_FILENO);
    execv(path.c_str(), arguments.data());
    _exit(127);
  }
  out.write.reset();
  err.write.reset();
  const bool show = message == nullptr && isatty(STDERR_FILENO) == 1;
  support::SystemClock clock;
  const double until = clock.now() + kAskSeconds;
  SshKeygen::Answer answer;
  bool said_all = false;
  bool erred_all = false;
  while (!said_all || !erred_all) {
    std::array<pollfd, 2> ready{pollfd{said_all ? -1 : out.read.get(), POLLIN, 0},
                                pollfd{erred_all ? -1 : err.read.get(), POLLIN, 0}};
    poll(ready.data(), ready.size(), kTickMilliseconds);
    if (ready[0].revents != 0) said_all = !take(out.read, answer.out, false);
    if (ready[1].revents != 0) erred_all = !take(err.read, answer.err, show);
    if (message != nullptr && clock.now() > until) {
      kill(child, SIGKILL);
      break;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  answer.err = one_line(answer.err);
  return answer;
}

support::Fd in_memory(std::string_view message) {
  support::Fd fd(memfd_create("message", MFD_CLOEXEC));
  if (!fd) throw std::system_error(errno, std::generic_category(), "memfd_create");
  while (!message.empty()) {
    const ssize_t n = ::write(fd.get(), message.data(), message.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::system_error(errno, std::generic_category(), "write to memory");
    message.remove_prefix(static_cast<std::size_t>(n));
  }
  lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

}  // namespace

SshKeygen::SshKeygen(const std::vector<std::string>& places) {
  for (const std::string& place : places) {
    if (path_.empty() && access(place.c_str(), X_OK) == 0) path_ = place;
  }
  if (path_.empty()) {
    throw support::UsageError(
        "there is no " + places.front() +
        ", which makes and checks signatures: install the package openssh-client");
  }
}

SshKeygen::Answer SshKeygen::sign(const std::string& key, const std::string& purpose,
                                  const std::string& file) const {
  return run(path_, {"-q", "-Y", "sign", "-f", key, "-n", purpose, file}, nullptr);
}

SshKeygen::Answer SshKeygen::ask(const std::vector<std::string>& words,
                                 std::string_view message) const {
  const support::Fd stdin_of_it = in_memory(message);
  return run(path_, words, &stdin_of_it);
}

}  // namespace rackproof::signoff
