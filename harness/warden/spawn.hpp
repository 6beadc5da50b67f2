#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "harness/support/fd.hpp"
#include "harness/warden/control_group.hpp"

namespace rackproof::warden {

/// Where a started program finds the page in which it tells how far it is.
inline constexpr int kPageDescriptor = 4;

/// A started program: its process, and our ends of its three standard descriptors.
struct Spawned {
  pid_t pid = -1;
  support::Fd pidfd;
  support::Fd in;
  support::Fd out;
  support::Fd err;
  std::string error;  ///< not empty: it could not be started, and why
};

/// Starts a program in a process group of its own, with stdin, stdout and stderr as pipes, no other
/// descriptor but `page` as kPageDescriptor where there is one, default signals, no core file, the
/// whole machine's affinity, a scrubbed environment (environment.hpp), and death when the caller
/// dies. It is born in `group`, unless that is null or the kernel does not let it.
Spawned spawn(const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment, const ControlGroup* group,
              int page = -1);

}  // namespace rackproof::warden
