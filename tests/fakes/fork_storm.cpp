// A program that leaves processes behind which nobody finds easily: `--daemons N` of them, each in
// a session of its own, with an empty environment and no descriptor, half of them child subreapers
// with others below. They fork and end, again and again, so that there are other processes every
// time that one looks. They end by themselves after `--seconds S`. `--token WORD` is in the command
// line of each, `--stay` keeps the bench running beside them.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// Two hundred of them leave a small machine some time for those who look for them.
constexpr unsigned kHopMicroseconds = 40'000;

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

[[noreturn]] void be_gone_by(double until) {
  while (now() < until) usleep(100'000);
  _exit(0);
}

// Another process every 40 ms, each in a session of its own.
[[noreturn]] void hop(double until) {
  while (now() < until) {
    const pid_t next = fork();
    if (next > 0) _exit(0);
    setsid();
    usleep(kHopMicroseconds);
  }
  _exit(0);
}

// What a daemon is from its exec on.
[[noreturn]] void be_daemon(bool reaper, double until) {
  setsid();
  for (int fd = 0; fd < 256; ++fd) close(fd);
  if (!reaper) hop(until);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (fork() == 0) be_gone_by(until);
  if (fork() == 0) hop(until);
  while (now() < until) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    usleep(1000);
  }
  _exit(0);
}

void start_daemon(const char* self, const char* token, bool reaper, const std::string& until) {
  if (fork() != 0) return;
  std::array<char*, 6> arguments = {const_cast<char*>(self),
                                    const_cast<char*>("--hop"),
                                    const_cast<char*>(reaper ? "reaper" : "plain"),
                                    const_cast<char*>(until.c_str()),
                                    const_cast<char*>(token),
                                    nullptr};
  std::array<char*, 1> nothing = {nullptr};
  execve("/proc/self/exe", arguments.data(), nothing.data());
  _exit(127);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--hop") == 0) {
    be_daemon(std::strcmp(argv[2], "reaper") == 0, std::strtod(argv[3], nullptr));
  }
  int daemons = 0;
  double seconds = 20;
  const char* token = "storm";
  bool stays = false;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (more && std::strcmp(argv[i], "--daemons") == 0) daemons = std::atoi(argv[i + 1]);
    if (more && std::strcmp(argv[i], "--seconds") == 0) seconds = std::strtod(argv[i + 1], nullptr);
    if (more && std::strcmp(argv[i], "--token") == 0) token = argv[i + 1];
    if (std::strcmp(argv[i], "--stay") == 0) stays = true;
  }
  const std::string until = std::to_string(now() + seconds);
  for (int i = 0; i < daemons; ++i) start_daemon(argv[0], token, i % 2 == 1, until);
  usleep(300'000);  // so that they are all about
  if (stays) be_gone_by(now() + seconds);
  return 0;
}
