#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/crew/parting.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/fleet/team.hpp"
#include "harness/job/program.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/store.hpp"

namespace rackproof::job {

/// What has started this process. Where that is a launcher and this program has no MPI, the process
/// goes on as rackproof-mpi. Throws UsageError where the one cannot be told or the other not be
/// done; one rank says why, the others have no words.
fleet::Launcher own_launcher(const Program& program);

/// The ranks of the job, or this one alone.
std::unique_ptr<fleet::Team> make_team(const fleet::Launcher& launcher, const Program& program);

/// All ranks but rank 0.
std::vector<int> others_of(const fleet::Team& team);

/// The run directory that rank 0 names, as crew::Follower opens it.
std::unique_ptr<support::Store> open_directory(const std::string& directory);

/// For a rank with nothing left to do: takes leave of the others, of which all are there when
/// `parting` is kTogether. Ends the process with `code` where MPI hangs.
void leave(fleet::Team& team, crew::Parting parting, int code);

/// The same for rank 0, whose report is on disk: `ranks` are told to leave first.
void leave_first(fleet::Team& team, support::Clock& clock, const std::vector<int>& ranks,
                 crew::Parting parting, int code);

/// Rank 0 has left, and has something to do that takes its time: `last`. Afterwards its process may
/// take as long as after leave_first().
void before_the_end(const std::function<void()>& last, int code);

/// Rank 0 ends last: a launcher that sees its code first would end the others.
void end_last(const fleet::Team& team, support::Clock& clock);

}  // namespace rackproof::job
