#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/model/host_load.hpp"

namespace rackproof::warden {

/// Counters of this host at one moment: what programs used of its processors so far.
struct LoadReading {
  double when = 0;     ///< CLOCK_MONOTONIC
  int processors = 0;  ///< that were looked at
  double busy = 0;
  double own = 0;
  double stolen = 0;
  std::optional<double> waited;
  std::string unknown;  ///< why it cannot be read; empty: it could
};

/// What happened between two readings of one meter.
model::HostLoad load_between(const LoadReading& before, const LoadReading& after);

/// The processors that a program started here may use at most: all that the cgroup allows, whatever
/// a launcher has bound this process to. Empty when the kernel does not say.
std::vector<int> usable_processors();

/// Tells what this run uses of the host's processors from what others do, out of the kernel's
/// counters alone: a reading costs a few files, and no process has to be found out about beforehand
/// but the ranks of this run.
class LoadMeter {
 public:
  /// Of these processors; an empty list: of all. `root` stands before /proc and /sys.
  explicit LoadMeter(std::vector<int> processors, std::string root = "");

  /// The processes that are the run's own, with all that they have started: this one, if nobody
  /// says otherwise.
  void own(std::vector<pid_t> processes) { own_ = std::move(processes); }

  LoadReading read() const;

 private:
  void read_processors(LoadReading& reading) const;
  std::optional<double> read_waited() const;
  double used_by_own(LoadReading& reading) const;

  std::vector<int> processors_;
  std::string root_;
  std::vector<pid_t> own_;
};

}  // namespace rackproof::warden
