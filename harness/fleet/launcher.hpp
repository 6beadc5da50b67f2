#pragma once

#include <map>
#include <string>

namespace rackproof::fleet {

/// Who started this process, as its environment tells.
struct Launcher {
  std::string name = "solo";    ///< solo, mpirun, srun, pmix, pmi
  int size = 1;                 ///< ranks that the launcher says there are; 0 when it does not say
  int rank = 0;                 ///< of this process, before MPI can say
  int local_rank = 0;           ///< of this process among those of its host; 0 when it does not say
  bool wants_mpi = false;       ///< this process is a rank and must call MPI_Init
  bool outlives_ranks = false;  ///< it lets the other ranks go on when one dies
  std::string problem;          ///< not empty: this start cannot work, and what to do
};

/// Pure. A Slurm step of several tasks without PMIx is a problem: each would be a run of one rank.
Launcher detect_launcher(const std::map<std::string, std::string>& environment);

/// The environment of this process.
std::map<std::string, std::string> own_environment();

}  // namespace rackproof::fleet
