#pragma once

#include <string>

#include "harness/fleet/launcher.hpp"
#include "harness/fleet/rank_program.hpp"
#include "harness/job/program.hpp"

namespace rackproof::job {

/// Environment variable by which rackproof tells rackproof-mpi which build it is.
inline constexpr const char* kStartedAs = "RACKPROOF_STARTED_AS";

/// What a rank lacks on this host, and what to do about it.
struct Lack {
  std::string what;
  std::string fix;
};

/// Both empty when nothing is lacking.
Lack lack_of(fleet::RankObstacle obstacle, const std::string& folder, const std::string& soname,
             const fleet::MpiLibrary& library);

/// When a launcher has started this process as a rank, and this program has no MPI: replaces it by
/// rackproof-mpi beside it, with the same words. Throws UsageError when that cannot work here; one
/// rank of each host says why.
void become_rank_when_launched(const fleet::Launcher& launcher, const Program& program);

/// Throws UsageError when another build of rackproof has started this one.
void refuse_other_build(const Program& program);

}  // namespace rackproof::job
