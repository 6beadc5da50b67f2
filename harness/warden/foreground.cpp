#include "harness/warden/foreground.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "harness/support/fd.hpp"

namespace rackproof::warden {
namespace {

int code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Between fork and exec: only calls that are safe there.
[[noreturn]] void become(pid_t parent, int failure, char** arguments) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, 0);
  execvp(arguments[0], arguments);
  const int error = errno;
  const ssize_t written = ::write(failure, &error, sizeof error);
  _exit(written < 0 ? 126 : 127);
}

}  // namespace

Foreground::Foreground(const std::vector<std::string>& arguments) {
  std::vector<std::string> texts = arguments;
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const support::Fd read_end(ends[0]);
  support::Fd write_end(ends[1]);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(parent, write_end.get(), argv.data());
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  setpgid(pid_, pid_);  // both sides do it, so that neither has to wait for the other
  write_end.reset();
  int error = 0;
  ssize_t n = 0;
  do {
    n = ::read(read_end.get(), &error, sizeof error);
  } while (n < 0 && errno == EINTR);
  if (n != static_cast<ssize_t>(sizeof error)) return;
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  throw std::runtime_error(arguments.front() + ": " + std::generic_category().message(error));
}

Foreground::~Foreground() {
  if (pid_ < 0 || code_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<int> Foreground::wait(double seconds) {
  if (code_) return code_;
  const support::Fd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd ended{pidfd.get(), POLLIN, 0};
  poll(&ended, 1, static_cast<int>(seconds * 1000));
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) code_ = code_of(status);
  return code_;
}

void Foreground::send(int signal) const {
  if (pid_ > 0 && !code_) kill(pid_, signal);
}

}  // namespace rackproof::warden
