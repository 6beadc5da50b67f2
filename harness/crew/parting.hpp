#pragma once

#include <vector>

#include "harness/crew/follower.hpp"
#include "harness/fleet/team.hpp"
#include "harness/support/clock.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// How a rank leaves the job.
enum class Parting {
  kTogether,  ///< everyone is there: with MPI_Finalize, which waits for all
  kAlone,     ///< somebody is lost, for whom that would wait for ever
  kLost,      ///< rank 0 has been silent for too long
};

/// Rank 0: the run is over, and why. Where not everyone is there, the others stay until they are
/// told to leave.
void send_home(fleet::Team& team, const std::vector<int>& ranks, bool everyone,
               const model::Reason<model::CloseReason>& reason);

/// Rank 0, when all that it has to write is on disk: tells `ranks` to leave, and when alone gives
/// the word a moment to arrive.
void tell_to_leave(fleet::Team& team, support::Clock& clock, const std::vector<int>& ranks,
                   Parting parting);

/// Another rank, which has nothing to do any more: stays until rank 0, last heard at `heard` by the
/// clock, tells it to leave or has been silent for `patience_seconds`. The first to end may end the
/// job for everybody, and rank 0 is still writing the report. It waits asleep: ranks that spin in
/// MPI_Finalize would take the processor that rank 0 needs.
Parting await_parting(fleet::Team& team, support::Clock& clock, double heard,
                      double patience_seconds = kPatienceSeconds);

}  // namespace rackproof::crew
