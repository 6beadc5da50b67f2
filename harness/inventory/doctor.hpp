#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/host_load.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// Something about this machine or session that will spoil a run, and the exact cure.
struct Complaint {
  std::string id;    ///< one of the catalogue's
  std::string what;  ///< one sentence with the figures of this machine
  std::string fix;   ///< a command or a setting
  /// A run cannot work. The others only make its numbers worse or noisier.
  bool blocking = false;
  /// Of a blocking one: a run without a launcher works.
  bool under_launcher_only = false;

  bool operator==(const Complaint&) const = default;
};

/// A bench that would measure nothing here, as it says itself.
struct Refusal {
  std::string program;
  std::string why;
  /// Of the caller's environment, "NAME=VALUE", when that alone is the cause: benches that a run
  /// starts do not get it. Empty: it would refuse in a run too.
  std::string variable;

  bool operator==(const Refusal&) const = default;
};

/// What the doctor needs to know beyond the inventory and the environment.
struct Surroundings {
  bool is_root = false;
  std::string temporary_directory;
  std::optional<double> temporary_free_bytes;  ///< nothing: the folder cannot be used
  std::string temporary_problem;               ///< why not
  std::optional<double> shm_bytes;             ///< size of /dev/shm; nothing: there is none
  std::optional<std::string> mpirun;           ///< where it was found in PATH
  model::HostLoad load = {};                   ///< what others do meanwhile, when it was looked at
  std::vector<Refusal> refusals = {};          ///< of the benches, when they were asked

  bool operator==(const Surroundings&) const = default;
};

/// Looks at the user, the temporary folder, /dev/shm and PATH, all below `root`.
Surroundings look_around(const std::map<std::string, std::string>& environment,
                         const std::string& temporary_directory, const std::string& root);

/// What is wrong, blocking complaints first. Pure: the same inputs give the same answer. A fact
/// that is unreadable causes no complaint.
std::vector<Complaint> examine(const model::NodeInventory& node,
                               const std::map<std::string, std::string>& environment,
                               const Surroundings& surroundings);

}  // namespace rackproof::inventory
