#include "harness/fleet/team.hpp"

namespace rackproof::fleet {

bool has_mpi() { return false; }

std::unique_ptr<Team> make_mpi_team(int /*expected_size*/) {
  throw TeamError("this rackproof was built without MPI");
}

}  // namespace rackproof::fleet
