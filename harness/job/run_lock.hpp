#pragma once

#include <string>

#include "harness/support/fd.hpp"

namespace rackproof::job {

/// Takes the directory of a run for this process and those that it forks: its warden outlives it,
/// and the directory is free when both are gone, however they went. Waits up to `seconds` for an
/// owner that may be about to leave. Throws UsageError that says whose it is. Empty where the file
/// system has no locks.
support::Fd lock_directory(const std::string& directory, double seconds);

/// Writes into the lock who holds it: host, process, since when.
void sign_lock(const support::Fd& lock);

/// Name of the lock in the directory.
inline constexpr const char* kLockName = "lock";

}  // namespace rackproof::job
