#pragma once

#include <string>

namespace rackproof::fleet {

/// The program of the ranks, which alone is linked with MPI, beside the one that is started.
inline constexpr const char* kRankProgram = "rackproof-mpi";

/// Soname of the MPI library that it is linked with: "libmpi.so.40". Empty in a build without MPI.
std::string mpi_soname();

/// What the dynamic loader finds under that name.
struct MpiLibrary {
  std::string version;  ///< as the library says it; empty where it does not
  std::string problem;  ///< not empty: it cannot be loaded, and why
};

/// Loads the library of this name into this process, where it stays: unloading one whose hooks live
/// crashes.
MpiLibrary load_mpi(const std::string& soname);

/// What a rank needs here and may not have.
enum class RankObstacle {
  kNone,
  kNotBuilt,      ///< this build has no MPI
  kNotInstalled,  ///< there is no rackproof-mpi in the folder
  kNoLibrary,     ///< MPI itself cannot be loaded
};

/// What keeps a rank from being started out of `folder`, the gravest first.
RankObstacle find_obstacle(const std::string& folder, const std::string& soname,
                           const MpiLibrary& library);

}  // namespace rackproof::fleet
