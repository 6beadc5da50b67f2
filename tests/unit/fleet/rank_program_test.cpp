#include "harness/fleet/rank_program.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace rackproof::fleet;
namespace fs = std::filesystem;

TEST_CASE("a library that is there says its version, one that is not says why") {
  const MpiLibrary none = load_mpi("libno-such-mpi.so.1");
  CHECK(none.version.empty());
  CHECK(none.problem.find("libno-such-mpi.so.1") != std::string::npos);
  // Loaded, but no MPI: nothing is wrong with it that the loader could see.
  const MpiLibrary other = load_mpi("libc.so.6");
  CHECK(other.problem.empty());
  CHECK(other.version.empty());
  if (mpi_soname().empty()) return;
  const MpiLibrary own = load_mpi(mpi_soname());
  INFO(own.problem);
  CHECK_FALSE(own.version.empty());
}

TEST_CASE("the gravest obstacle of a rank is told first") {
  char path[] = "/tmp/rackproof-rank-XXXXXX";
  const std::string folder = mkdtemp(path);
  const MpiLibrary broken{"", "no such file"};
  CHECK(find_obstacle(folder, "", broken) == RankObstacle::kNotBuilt);
  CHECK(find_obstacle(folder, "libmpi.so.40", broken) == RankObstacle::kNotInstalled);
  const std::string program = folder + "/" + kRankProgram;
  std::ofstream(program) << "no program, but it may be started";
  CHECK(find_obstacle(folder, "libmpi.so.40", broken) == RankObstacle::kNotInstalled);
  fs::permissions(program, fs::perms::owner_all);
  CHECK(find_obstacle(folder, "libmpi.so.40", broken) == RankObstacle::kNoLibrary);
  CHECK(find_obstacle(folder, "libmpi.so.40", {}) == RankObstacle::kNone);
  fs::remove_all(folder);
}
