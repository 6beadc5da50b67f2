#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/support/fd.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// A file of /proc or /sys, empty when it cannot be read.
std::string contents_of(const std::string& path);

/// By the letter of /proc/PID/stat; one that is not known here comes in words.
model::Reason<model::ProcessState> process_state(pid_t pid);

/// Who a process is a child of, by its process id; 0 when that is not known.
pid_t parent_of(pid_t pid);

/// Children of a process, of all its threads, zombies among them. A child subreaper has the orphans
/// below it as children too. `root` stands before /proc.
std::vector<pid_t> children_of(pid_t pid, const std::string& root = "");
/// The same of a process that is known to have one thread, for a third of the system calls.
std::vector<pid_t> children_of_only_thread(pid_t pid, const std::string& root = "");

/// A descriptor that is readable once a child of this process has died, which is told in no other
/// way from then on.
support::Fd watch_deaths();
/// Whether one has died since this was asked last.
bool some_died(const support::Fd& deaths);

/// How many processes the kernel has killed in the memory cgroup of this process, for want of
/// memory; 0 where it does not say. `root` stands before /proc and /sys.
std::int64_t oom_kills_here(const std::string& root = "");

/// The value of RACKPROOF_NONCE in the environment of a process, empty when it cannot be read.
std::string nonce_of(pid_t pid);

}  // namespace rackproof::warden
