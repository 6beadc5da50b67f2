#pragma once

#include <memory>

#include "harness/fleet/team.hpp"

namespace rackproof::fleet {

/// Calls MPI_Init and joins the job. `expected_size` is what the launcher promised (0: unknown);
/// another number of ranks is a TeamError, since N runs of one rank look like a result.
std::unique_ptr<Team> make_mpi_team(int expected_size);

}  // namespace rackproof::fleet
