#pragma once

#include <string>

#include "harness/support/fd.hpp"

namespace rackproof::job {

/// A name that no other run has: the time and some random digits.
std::string new_run_id();

/// `prefix` and the time: what the directory of a new run is called, unless it is named.
std::string new_directory_name(const std::string& prefix);

/// Throws UsageError when a run directory, or the one of its journals, is a symbolic link: one that
/// somebody planted would send the journals elsewhere.
void refuse_links(const std::string& out);

/// Makes the directory of a new run and takes it: it belongs to the caller as long as the lock
/// lives. Throws UsageError when it holds a run already, belongs to another or cannot be written.
support::Fd take_new_directory(const std::string& out);

/// Makes the directory of a new run and gives its name: `given`, or, when that is empty, `prefix`
/// and the time. It is taken as take_new_directory() does.
std::string make_run_directory(const std::string& given, const std::string& prefix,
                               support::Fd& lock);

}  // namespace rackproof::job
