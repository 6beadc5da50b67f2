#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "harness/warden/process_tree.hpp"
#include "harness/warden/warden.hpp"

/// What the tests of a warden share: attempts that are shell scripts, and what is seen of them from
/// outside.
namespace shell_attempt {

inline rackproof::warden::Launch shell(const std::string& attempt, const std::string& script,
                                       double deadline = 20) {
  rackproof::warden::Launch launch;
  launch.attempt = attempt;
  launch.head = "{\"step\":\"s\"}";
  launch.arguments = {"/bin/sh", "-c", script};
  launch.deadline_seconds = deadline;
  launch.grace_seconds = 0.3;
  return launch;
}

/// All lines of an attempt, its end last.
inline std::vector<std::string> finish(rackproof::warden::Warden& warden,
                                       const std::string& attempt) {
  std::vector<std::string> lines;
  for (;;) {
    for (const rackproof::warden::Event& event : warden.wait(1)) {
      if (event.attempt != attempt) continue;
      lines.push_back(event.line);
      if (event.last) return lines;
    }
  }
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline bool alive(pid_t pid) {
  return rackproof::warden::process_state(pid).id != rackproof::model::ProcessState::kGone;
}

inline bool gone_within(pid_t pid, double seconds) {
  for (int i = 0; i < seconds * 100; ++i) {
    if (!alive(pid)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// The number that a process writes into a file, once it is there.
inline pid_t number_in(const std::string& path) {
  for (int i = 0; i < 1000; ++i) {
    const std::string text = rackproof::warden::contents_of(path);
    if (text.ends_with("\n")) return std::stoi(text);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

/// The warden that a process has forked, other than these; -1 when there is none.
inline pid_t warden_of(pid_t rank, const std::vector<pid_t>& but = {}) {
  for (int i = 0; i < 500; ++i) {
    for (const pid_t child : rackproof::warden::children_of(rank)) {
      const std::string folder = "/proc/" + std::to_string(child);
      const std::string name = rackproof::warden::contents_of(folder + "/comm");
      const bool other = std::find(but.begin(), but.end(), child) == but.end();
      if (other && alive(child) && name == "rackproof-wardn\n") return child;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

/// How many processes that are not dead have the word in their command line.
inline int count_with(const std::string& word) {
  int count = 0;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string text = rackproof::warden::contents_of(entry.path() / "cmdline");
    if (entry.path().filename() != std::to_string(getpid()) && has(text, word)) ++count;
  }
  return count;
}

}  // namespace shell_attempt
