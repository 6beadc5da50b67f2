#include "harness/warden/process_tree.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace rackproof::warden {

std::string contents_of(const std::string& path) {
  const support::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (!file) return text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t size = ::read(file.get(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

namespace {

// /proc/PID/stat from the state on; empty when the process is gone.
std::string state_and_rest(pid_t pid) {
  const std::string stat = contents_of("/proc/" + std::to_string(pid) + "/stat");
  // The name in parentheses may hold anything, so look behind the last one.
  const std::size_t at = stat.rfind(')');
  return at == std::string::npos || at + 2 >= stat.size() ? "" : stat.substr(at + 2);
}

}  // namespace

pid_t parent_of(pid_t pid) {
  std::istringstream words(state_and_rest(pid));
  char state = 0;
  pid_t parent = 0;
  words >> state >> parent;
  return words ? parent : 0;
}

model::Reason<model::ProcessState> process_state(pid_t pid) {
  using State = model::ProcessState;
  const std::string stat = state_and_rest(pid);
  if (stat.empty()) return State::kGone;
  switch (stat.front()) {
    case 'R':
      return State::kRunning;
    case 'S':
      return State::kSleeping;
    case 'D':
      return State::kWaiting;
    case 'T':
      return State::kStopped;
    case 't':
      return State::kStoppedDebugged;
    case 'Z':
    case 'X':
      return State::kGone;
    default:
      return {State::kOther, std::string("in state ") + stat.front()};
  }
}

support::Fd watch_deaths() {
  sigset_t deaths;
  sigemptyset(&deaths);
  sigaddset(&deaths, SIGCHLD);
  sigprocmask(SIG_BLOCK, &deaths, nullptr);
  return support::Fd(signalfd(-1, &deaths, SFD_NONBLOCK | SFD_CLOEXEC));
}

bool some_died(const support::Fd& deaths) {
  signalfd_siginfo told{};
  return deaths && ::read(deaths.get(), &told, sizeof told) > 0;
}

std::int64_t oom_kills_here(const std::string& root) {
  std::istringstream groups(contents_of(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    // "4:memory:/job" of version 1, "0::/job" of version 2.
    const std::size_t path = line.find(":/");
    if (path == std::string::npos) continue;
    const bool first = line.find(":memory:") != std::string::npos;
    if (!first && !line.starts_with("0::")) continue;
    const std::string folder =
        root + "/sys/fs/cgroup" + (first ? "/memory" : "") + line.substr(path + 1);
    std::istringstream counts(
        contents_of(folder + (first ? "/memory.oom_control" : "/memory.events")));
    std::int64_t count = 0;
    for (std::string name; counts >> name >> count;) {
      if (name == "oom_kill") return count;
    }
  }
  return 0;
}

namespace {

// "17 42 " and the like.
void add_children_of_thread(const std::string& folder, std::vector<pid_t>& children) {
  const std::string list = contents_of(folder + "/children");
  const char* const end = list.data() + list.size();
  pid_t child = 0;
  for (const char* at = list.data(); at < end;) {
    const auto [next, problem] = std::from_chars(at, end, child);
    if (problem != std::errc()) return;
    children.push_back(child);
    at = std::find_if(next, end, [](char letter) { return letter != ' '; });
  }
}

}  // namespace

std::vector<pid_t> children_of(pid_t pid, const std::string& root) {
  std::vector<pid_t> children;
  std::error_code gone;
  const std::string folder = root + "/proc/" + std::to_string(pid) + "/task";
  for (auto task = std::filesystem::directory_iterator(folder, gone);
       !gone && task != std::filesystem::directory_iterator(); task.increment(gone)) {
    add_children_of_thread(task->path().string(), children);
  }
  return children;
}

std::vector<pid_t> children_of_only_thread(pid_t pid, const std::string& root) {
  std::vector<pid_t> children;
  const std::string name = std::to_string(pid);
  add_children_of_thread(root + "/proc/" + name + "/task/" + name, children);
  return children;
}

std::string nonce_of(pid_t pid) {
  static constexpr std::string_view kName = "RACKPROOF_NONCE=";
  const std::string environment = contents_of("/proc/" + std::to_string(pid) + "/environ");
  std::size_t from = 0;
  while (from < environment.size()) {
    const std::size_t end = std::min(environment.find('\0', from), environment.size());
    const std::string_view entry = std::string_view(environment).substr(from, end - from);
    if (entry.starts_with(kName)) return std::string(entry.substr(kName.size()));
    from = end + 1;
  }
  return "";
}

}  // namespace rackproof::warden
