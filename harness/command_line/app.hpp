#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/crew/order.hpp"
#include "harness/fleet/team.hpp"

namespace rackproof::command_line {

/// What only a program that is linked with MPI has; empty in one that is not.
struct RankSide {
  /// Calls MPI_Init and joins the job; takes how many ranks the launcher promised (0: unknown).
  std::function<std::unique_ptr<fleet::Team>(int expected_size)> make_mpi_team;
  std::vector<crew::InRank> benches;
};

/// The whole program but for what only the composition root knows. Gives the exit code; never
/// throws.
int run_app(int argc, char** argv, RankSide ranks);

}  // namespace rackproof::command_line
