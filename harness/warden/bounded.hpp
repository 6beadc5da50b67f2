#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rackproof::warden {

/// A program that was given a time, and what it said by then.
struct Bounded {
  std::string out;
  std::string err;
  std::optional<int> code;  ///< as a shell has it (128 + signal); nothing: it has not ended
  std::string error;        ///< not empty: it could not be started, and why
  bool late = false;        ///< the time was over, and it was killed
  /// Not 0: it got KILL and is still there, in the kernel, where no signal ends it. It is left
  /// behind, and nobody waits for it.
  pid_t left_behind = 0;
};

/// How a program is to be taken.
struct BoundedTerms {
  double seconds = 0;
  /// It has said all with its first whole line: what it does after that is not waited for.
  bool one_line = false;
  std::map<std::string, std::string> environment = {};  ///< over the scrubbed one (environment.hpp)
};

/// Starts a program ([0] is its absolute path) in a process group of its own without a shell, with
/// an empty stdin, and takes what it writes, 16 MiB of each stream at most, until it ends or the
/// time is over. Then its group gets KILL. Returns at most a second after the time.
Bounded run_bounded(const std::vector<std::string>& arguments, const BoundedTerms& terms);

}  // namespace rackproof::warden
