#include "harness/warden/sweep.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "harness/support/clock.hpp"
#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

constexpr int kQuietRounds = 2;
// A process that forks and ends, again and again, is caught by looking more often than it forks. It
// must not keep the caller from its other work, though.
constexpr double kMomentSeconds = 0.005;
constexpr double kEndSeconds = 10;

// False for one that is dead.
bool note(pid_t pid, std::set<pid_t>& killed, model::Reason<model::ProcessState>& state) {
  model::Reason<model::ProcessState> now = process_state(pid);
  if (now.id == model::ProcessState::kGone) return false;
  state = std::move(now);
  killed.insert(pid);
  return true;
}

bool kill_tree(pid_t root, const std::set<pid_t>& kept_groups, std::set<pid_t>& killed,
               model::Reason<model::ProcessState>& state) {
  // All are found first: the children of one that is dead are somebody else's.
  std::vector<pid_t> found = {root};
  for (std::size_t at = 0; at < found.size(); ++at) {
    for (const pid_t child : children_of(found[at])) {
      if (std::find(found.begin(), found.end(), child) == found.end()) found.push_back(child);
    }
  }
  bool alive = false;
  for (const pid_t pid : found) {
    alive = note(pid, killed, state) || alive;
    // A whole group dies at once, with what one of it is forking.
    const pid_t group = getpgid(pid);
    if (group > 1 && !kept_groups.contains(group)) kill(-group, SIGKILL);
    kill(pid, SIGKILL);
  }
  return alive;
}

// The process groups that are nobody's to kill: this process's own and those of `others`.
std::set<pid_t> groups_of(const std::vector<LiveAttempt>& others) {
  std::set<pid_t> groups = {getpgrp()};
  for (const LiveAttempt& other : others) groups.insert(other.leader);
  return groups;
}

}  // namespace

Sweep::Sweep(pid_t leader, std::string nonce, ControlGroup* group)
    : leader_(leader), nonce_(std::move(nonce)), group_(group) {}

bool Sweep::go_round(const std::vector<LiveAttempt>& others) {
  support::SystemClock clock;
  const double until = clock.now() + kMomentSeconds;
  while (quiet_ < kQuietRounds) {
    quiet_ = find_any(others) ? 0 : quiet_ + 1;
    if (quiet_ < kQuietRounds && clock.now() >= until) return false;
  }
  return true;
}

bool Sweep::any_left(const std::vector<LiveAttempt>& others) {
  const auto lives = [](pid_t pid) { return process_state(pid).id != model::ProcessState::kGone; };
  if (group_ != nullptr && group_->populated()) {
    const std::vector<pid_t> members = group_->members();
    if (std::any_of(members.begin(), members.end(),
                    [&](pid_t pid) { return pid != leader_ && lives(pid); })) {
      return true;
    }
  }
  const std::vector<pid_t> found = roots(others, groups_of(others));
  return std::any_of(found.begin(), found.end(), lives);
}

bool Sweep::find_any(const std::vector<LiveAttempt>& others) {
  bool found = kill_group();
  const std::set<pid_t> kept_groups = groups_of(others);
  for (const pid_t root : roots(others, kept_groups)) found = end(root, kept_groups) || found;
  return found;
}

std::vector<pid_t> Sweep::roots(const std::vector<LiveAttempt>& others,
                                const std::set<pid_t>& kept_groups) {
  std::vector<pid_t> found;
  for (const pid_t child : children_of(getpid())) {
    if (child == leader_) {
      // Given up, as it did not die: it is somebody else's to tell, what it started is not.
      for (const pid_t below : children_of(child)) found.push_back(below);
      continue;
    }
    if (kept_groups.contains(child)) continue;
    // It is dead and waits for us, or was a moment ago.
    if (waitpid(child, nullptr, WNOHANG) == child || !is_ours(child, others)) continue;
    found.push_back(child);
  }
  return found;
}

bool Sweep::is_ours(pid_t orphan, const std::vector<LiveAttempt>& others) const {
  const pid_t group = getpgid(orphan);
  const std::string nonce = nonce_of(orphan);
  if (group == leader_ || (!nonce_.empty() && nonce == nonce_)) return true;
  return std::none_of(others.begin(), others.end(), [&](const LiveAttempt& other) {
    return other.starts_others || group == other.leader || nonce == other.nonce;
  });
}

bool Sweep::end(pid_t root, const std::set<pid_t>& kept_groups) {
  return kill_tree(root, kept_groups, killed_, last_state_);
}

bool Sweep::kill_group() {
  if (group_ == nullptr || !group_->populated()) return false;
  bool found = false;
  for (const pid_t pid : group_->members()) {
    if (pid != leader_) found = note(pid, killed_, last_state_) || found;
  }
  group_->kill_all();
  return found;
}

namespace {

// Kills the trees below `parent` whose roots `chosen` accepts.
template <class Chosen>
void end_trees(pid_t parent, const std::set<pid_t>& kept_groups, Chosen chosen) {
  support::SystemClock clock;
  const double until = clock.now() + kEndSeconds;
  std::set<pid_t> killed;
  model::Reason<model::ProcessState> state;
  for (int quiet = 0; quiet < kQuietRounds && clock.now() < until;) {
    bool found = false;
    for (const pid_t child : children_of(parent)) {
      if (chosen(child)) found = kill_tree(child, kept_groups, killed, state) || found;
    }
    quiet = found ? 0 : quiet + 1;
  }
}

}  // namespace

void end_all_below(pid_t root) {
  end_trees(root, {getpgrp(), getpgid(root)}, [](pid_t) { return true; });
}

void end_orphans_of(pid_t warden) {
  // This process may be an attempt of another rackproof, and so may what it forked itself.
  const std::string own = nonce_of(getpid());
  end_trees(getpid(), {getpgrp()}, [&](pid_t child) {
    bool ours = getsid(child) == warden;
    if (!ours) {
      const std::string nonce = nonce_of(child);
      ours = !nonce.empty() && nonce != own;
    }
    if (ours) waitpid(child, nullptr, WNOHANG);
    return ours;
  });
}

}  // namespace rackproof::warden
