#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/fleet/rank_program.hpp"
#include "harness/inventory/doctor.hpp"

namespace rackproof::job {

/// An MPI as it says what it is. Launcher and library of one family and, of Open MPI, of one major
/// version understand each other.
struct MpiVersion {
  enum class Family { kUnknown, kOpenMpi, kHydra };
  Family family = Family::kUnknown;  ///< kHydra: MPICH, Intel MPI and others with its launcher
  int major = 0;
  std::string text;  ///< "Open MPI 4.1.4"; the first line of an unknown one
};

/// Pure: what MPI_Get_library_version or mpirun --version gives.
MpiVersion parse_mpi_version(const std::string& said);

/// What there is of MPI on this machine.
struct MpiFacts {
  std::string folder;  ///< where rackproof-mpi belongs
  std::string soname;
  fleet::MpiLibrary library;
  fleet::RankObstacle obstacle = fleet::RankObstacle::kNone;
  std::optional<std::string> mpirun;  ///< its path
  std::string mpirun_said;            ///< to --version
  bool under_launcher = false;
};

/// Looks for library and launcher; starts the one of PATH with --version.
MpiFacts find_mpi(const std::string& folder, const std::map<std::string, std::string>& environment,
                  const std::optional<std::string>& mpirun);

/// One line: what was found, and whether it fits. Pure.
std::string mpi_line(const MpiFacts& facts);

/// What keeps a run over several ranks from working. Pure.
std::vector<inventory::Complaint> mpi_complaints(const MpiFacts& facts);

}  // namespace rackproof::job
