#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rackproof::fleet {

/// A command that cannot be started again with other hosts, and why.
struct BadLaunch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A host of a job and how many of its ranks were there.
struct HostRanks {
  std::string host;
  int ranks = 0;
};

/// "mpirun ... rackproof run ... --out DIR", taken apart.
struct LaunchCommand {
  enum class Kind { kMpirun, kSrun };
  Kind kind = Kind::kMpirun;
  std::vector<std::string> prefix;   ///< before the launcher's options, the launcher included
  std::vector<std::string> options;  ///< of the launcher, and what stands between it and rackproof
  std::string program;               ///< rackproof, as it was named
  std::vector<std::string> run;      ///< what follows the verb
  std::string directory;             ///< of the run: --out or --resume
  std::string compress = "auto";     ///< of the run: --compress
};

/// Throws BadLaunch: no launcher that is known, no "rackproof run" behind it, more than one
/// program, no run directory.
LaunchCommand parse_launch(const std::vector<std::string>& arguments);

/// Hosts and slots that a hostfile lists; 0 slots where it does not say.
std::vector<HostRanks> parse_hostfile(const std::string& text);

/// The file of --hostfile, empty without one.
std::string hostfile_of(const LaunchCommand& command);

/// The command that continues the run on the hosts that stay: as many ranks fewer as the others
/// had. `without` is every host that was set aside since the run began, `gone` those of them that
/// the command still has, `listed` what its hostfile lists.
std::vector<std::string> continue_without(const LaunchCommand& command,
                                          const std::vector<HostRanks>& staying,
                                          const std::vector<HostRanks>& gone,
                                          const std::vector<std::string>& without,
                                          const std::vector<HostRanks>& listed);

}  // namespace rackproof::fleet
