#include "harness/job/ranks.hpp"

#include <numeric>

#include "harness/job/become_rank.hpp"
#include "harness/job/signals.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {
namespace {

// For what may hang once everything is on disk.
constexpr unsigned kLeaveSeconds = 30;
constexpr double kLastSeconds = 0.2;

}  // namespace

fleet::Launcher own_launcher(const Program& program) {
  fleet::Launcher launcher = fleet::detect_launcher(program.environment);
  if (!launcher.problem.empty()) {
    throw support::UsageError(launcher.rank == 0 ? launcher.problem : "");
  }
  become_rank_when_launched(launcher, program);
  return launcher;
}

std::unique_ptr<fleet::Team> make_team(const fleet::Launcher& launcher, const Program& program) {
  return launcher.wants_mpi ? program.make_mpi_team(launcher.size) : fleet::make_solo_team();
}

std::vector<int> others_of(const fleet::Team& team) {
  std::vector<int> others(static_cast<std::size_t>(team.size() - 1));
  std::iota(others.begin(), others.end(), 1);
  return others;
}

std::unique_ptr<support::Store> open_directory(const std::string& directory) {
  return std::make_unique<support::DirectoryStore>(directory);
}

void leave(fleet::Team& team, crew::Parting parting, int code) {
  leave_within(kLeaveSeconds, code);
  team.leave(parting == crew::Parting::kTogether);
}

void leave_first(fleet::Team& team, support::Clock& clock, const std::vector<int>& ranks,
                 crew::Parting parting, int code) {
  leave_within(kLeaveSeconds, code);
  crew::tell_to_leave(team, clock, ranks, parting);
  team.leave(parting == crew::Parting::kTogether);
}

void before_the_end(const std::function<void()>& last, int code) {
  leave_when_done();
  last();
  leave_within(kLeaveSeconds, code);
}

void end_last(const fleet::Team& team, support::Clock& clock) {
  if (team.size() > 1) clock.sleep(kLastSeconds);
}

}  // namespace rackproof::job
