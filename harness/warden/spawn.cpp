#include "harness/warden/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "harness/warden/environment.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it declared by us

namespace rackproof::warden {
namespace {

struct Pipe {
  support::Fd read;
  support::Fd write;
};

bool make_pipe(Pipe& pipe) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.read = support::Fd(ends[0]);
  pipe.write = support::Fd(ends[1]);
  return true;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Linux has a call for it since 5.9, and qemu, which runs programs of another architecture, may
// not.
void close_from(unsigned first) {
#ifdef __NR_close_range
  if (syscall(__NR_close_range, first, ~0U, 0U) == 0) return;
#endif
  const int most = static_cast<int>(sysconf(_SC_OPEN_MAX));
  for (int fd = static_cast<int>(first); fd < most; ++fd) close(fd);
}

// What the kernel calls clone_args; the headers of the C library may be older than it.
struct CloneArguments {
  std::uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
      set_tid_size, cgroup;
};
constexpr std::uint64_t kCloneIntoCgroup = 0x200000000;  // since Linux 5.7
constexpr long kClone3 = 435;                            // of all architectures

// A fork whose child is born in the group: to move a process there later makes the kernel wait for
// every processor.
pid_t fork_into(const ControlGroup* group) {
  if (group == nullptr) return fork();
  CloneArguments arguments{};
  arguments.flags = kCloneIntoCgroup;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<std::uint64_t>(group->folder());
  const long pid = syscall(kClone3, &arguments, sizeof arguments);
  return pid < 0 ? fork() : static_cast<pid_t>(pid);
}

// Between fork and exec: only calls that are safe there. Reports errno through `failure` and ends.
[[noreturn]] void become(pid_t parent, int in, int out, int err, int failure, int page,
                         char** arguments, char** environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // The launcher may have bound this rank to one core; a bench measures the machine. The kernel
  // clips the full set to what the cgroup allows.
  cpu_set_t all;
  memset(&all, 0xFF, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
  // First out of the way of each other.
  const int kept = fcntl(failure, F_DUPFD_CLOEXEC, kPageDescriptor + 1);
  const int kept_page = page < 0 ? -1 : fcntl(page, F_DUPFD_CLOEXEC, kPageDescriptor + 1);
  dup3(kept, 3, O_CLOEXEC);
  if (kept_page >= 0) dup2(kept_page, kPageDescriptor);
  close_from(kept_page < 0 ? kPageDescriptor : kPageDescriptor + 1);
  execve(arguments[0], arguments, environment);
  const int error = errno;
  const ssize_t written = ::write(3, &error, sizeof error);
  _exit(written < 0 ? 126 : 127);
}

std::string describe(int error) { return std::generic_category().message(error); }

}  // namespace

Spawned spawn(const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment, const ControlGroup* group,
              int page) {
  Spawned child;
  Pipe in;
  Pipe out;
  Pipe err;
  Pipe failure;
  if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err) || !make_pipe(failure)) {
    child.error = "cannot make a pipe: " + describe(errno);
    return child;
  }
  std::vector<std::string> argument_texts = arguments;
  std::vector<std::string> environment_texts = child_environment(environ, environment);
  std::vector<char*> argv = pointers(argument_texts);
  std::vector<char*> envp = pointers(environment_texts);
  const pid_t parent = getpid();
  child.pid = fork_into(group);
  if (child.pid == 0) {
    become(parent, in.read.get(), out.write.get(), err.write.get(), failure.write.get(), page,
           argv.data(), envp.data());
  }
  if (child.pid < 0) {
    child.error = "cannot fork: " + describe(errno);
    return child;
  }
  setpgid(child.pid, child.pid);  // both sides do it, so that neither has to wait for the other
  child.pidfd = support::Fd(static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0)));
  failure.write.reset();
  if (!child.pidfd) {
    // Nothing would tell when it ends: better no process than one that nobody watches.
    child.error = "cannot watch the process: " + describe(errno);
    kill(child.pid, SIGKILL);
    return child;
  }
  int error = 0;
  ssize_t n = 0;
  do {
    n = ::read(failure.read.get(), &error, sizeof error);
  } while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(sizeof error)) {
    child.error = arguments.front() + ": " + describe(error);
  }
  child.in = std::move(in.write);
  child.out = std::move(out.read);
  child.err = std::move(err.read);
  for (const int fd : {child.in.get(), child.out.get(), child.err.get()}) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  return child;
}

}  // namespace rackproof::warden
