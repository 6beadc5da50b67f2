#include "harness/warden/process_tree.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace rackproof::warden {
namespace {

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

bool is_straggler(pid_t pid, pid_t group, const std::string& attempt) {
  return getpgid(pid) == group || nonce_of(pid) == attempt;
}

}  // namespace

std::string process_state(pid_t pid) {
  const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  // The name in parentheses may hold anything, so look behind the last one.
  const std::size_t at = stat.rfind(')');
  if (at == std::string::npos || at + 2 >= stat.size()) return "gone";
  switch (stat[at + 2]) {
    case 'R':
      return "running";
    case 'S':
      return "sleeping";
    case 'D':
      return "waiting for disk or a driver";
    case 'T':
      return kStoppedBySignal;
    case 't':
      return "stopped by a debugger";
    case 'Z':
    case 'X':
      return "gone";
    default:
      return std::string("in state ") + stat[at + 2];
  }
}

std::int64_t oom_kills_here(const std::string& root) {
  std::istringstream groups(slurp(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    // "4:memory:/job" of version 1, "0::/job" of version 2.
    const std::size_t path = line.find(":/");
    if (path == std::string::npos) continue;
    const bool first = line.find(":memory:") != std::string::npos;
    if (!first && !line.starts_with("0::")) continue;
    const std::string folder =
        root + "/sys/fs/cgroup" + (first ? "/memory" : "") + line.substr(path + 1);
    std::istringstream counts(slurp(folder + (first ? "/memory.oom_control" : "/memory.events")));
    std::int64_t count = 0;
    for (std::string name; counts >> name >> count;) {
      if (name == "oom_kill") return count;
    }
  }
  return 0;
}

std::vector<pid_t> children_of_self() {
  const std::string self = std::to_string(getpid());
  std::istringstream list(slurp("/proc/self/task/" + self + "/children"));
  std::vector<pid_t> pids;
  for (pid_t pid = 0; list >> pid;) pids.push_back(pid);
  return pids;
}

std::string nonce_of(pid_t pid) {
  static constexpr std::string_view kName = "RACKPROOF_NONCE=";
  const std::string environment = slurp("/proc/" + std::to_string(pid) + "/environ");
  std::size_t from = 0;
  while (from < environment.size()) {
    const std::size_t end = std::min(environment.find('\0', from), environment.size());
    const std::string_view entry = std::string_view(environment).substr(from, end - from);
    if (entry.starts_with(kName)) return std::string(entry.substr(kName.size()));
    from = end + 1;
  }
  return "";
}

int kill_stragglers(pid_t group, const std::string& attempt, const std::set<pid_t>& keep) {
  // A process takes its time to die on a busy machine: none is counted twice.
  std::set<pid_t> killed;
  for (int round = 0; round < 20; ++round) {
    bool found = false;
    for (const pid_t pid : children_of_self()) {
      if (keep.contains(pid) || !is_straggler(pid, group, attempt)) continue;
      if (process_state(pid) != "gone") {
        kill(pid, SIGKILL);
        killed.insert(pid);
      }
      found = true;
    }
    if (!found) break;
    usleep(2000);
    // Reap only what is not a leader of a live attempt: those are reaped where they are watched.
    for (const pid_t pid : children_of_self()) {
      if (!keep.contains(pid)) waitpid(pid, nullptr, WNOHANG);
    }
  }
  return static_cast<int>(killed.size());
}

}  // namespace rackproof::warden
