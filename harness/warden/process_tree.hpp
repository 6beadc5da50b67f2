#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace rackproof::warden {

/// One letter of /proc/PID/stat in words: "running", "stopped", "waiting for disk", ...; "gone".
std::string process_state(pid_t pid);
inline constexpr const char* kStoppedBySignal = "stopped by a signal";

/// Live children of the calling process that are not zombies of ours: as a child subreaper, it also
/// gets the orphans that its children leave behind.
std::vector<pid_t> children_of_self();

/// How many processes the kernel has killed in the memory cgroup of this process, for want of
/// memory; 0 where it does not say. `root` stands before /proc and /sys.
std::int64_t oom_kills_here(const std::string& root = "");

/// The value of RACKPROOF_NONCE in the environment of a process, empty when it cannot be read.
std::string nonce_of(pid_t pid);

/// Kills every child of ours that belongs to `attempt` (by its process group or its nonce) and is
/// not in `keep`, again and again until none is left (killing one may orphan others). Gives how
/// many.
int kill_stragglers(pid_t group, const std::string& attempt, const std::set<pid_t>& keep);

}  // namespace rackproof::warden
