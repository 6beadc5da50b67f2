#include "harness/job/become_rank.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "benches/protocol/version.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {
namespace {

std::string own_build() { return fmt::format("{} ({})", protocol::version(), protocol::commit()); }

// Does not come back unless it fails.
void replace_by(const std::string& path, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  setenv(kStartedAs, own_build().c_str(), 1);
  execv(path.c_str(), arguments.data());
}

}  // namespace

Lack lack_of(fleet::RankObstacle obstacle, const std::string& folder, const std::string& soname,
             const fleet::MpiLibrary& library) {
  switch (obstacle) {
    case fleet::RankObstacle::kNone:
      break;
    case fleet::RankObstacle::kNotBuilt:
      return {"this rackproof was built without MPI", "build it with MPI, or start it alone"};
    case fleet::RankObstacle::kNotInstalled:
      return {fmt::format("there is no {} in {}", fleet::kRankProgram, folder),
              "install the package rackproof-mpi, or all of rackproof, or start it alone"};
    case fleet::RankObstacle::kNoLibrary:
      return {fmt::format("the MPI library {} cannot be loaded ({})", soname, library.problem),
              "install Open MPI 4 or 5 (apt-get install openmpi-bin), load your site's MPI module, "
              "or start rackproof alone"};
  }
  return {};
}

void become_rank_when_launched(const fleet::Launcher& launcher, const Program& program) {
  if (!launcher.wants_mpi || program.make_mpi_team) return;
  const std::string folder = std::filesystem::path(program.paths.self).parent_path().string();
  const std::string soname = fleet::mpi_soname();
  const auto library = soname.empty() ? fleet::MpiLibrary{} : fleet::load_mpi(soname);
  const auto obstacle = fleet::find_obstacle(folder, soname, library);
  const Lack lack = lack_of(obstacle, folder, soname, library);
  std::string why = lack.what + ": " + lack.fix;
  if (obstacle == fleet::RankObstacle::kNone) {
    const std::string path = folder + "/" + fleet::kRankProgram;
    replace_by(path, program.command);
    why = fmt::format("{} cannot be started: {}", path, std::generic_category().message(errno));
  }
  const bool speaks = launcher.local_rank == 0;
  throw support::UsageError(
      speaks ? fmt::format("rank {}, started by {}: {}", launcher.rank, launcher.name, why) : "");
}

void refuse_other_build(const Program& program) {
  const auto given = program.environment.find(kStartedAs);
  if (!program.make_mpi_team || given == program.environment.end()) return;
  if (given->second == own_build()) return;
  throw support::UsageError(
      fmt::format("rackproof {} has started {} {}: install both from one package", given->second,
                  fleet::kRankProgram, own_build()));
}

}  // namespace rackproof::job
