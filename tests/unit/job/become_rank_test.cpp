#include "harness/job/become_rank.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"

using namespace rackproof;
using namespace rackproof::job;

namespace {

Program rank_program() {
  Program program;
  program.make_mpi_team = [](int /*size*/) { return fleet::make_solo_team(); };
  return program;
}

}  // namespace

TEST_CASE("who is no rank, or has MPI already, stays what it is") {
  fleet::Launcher launcher;
  CHECK_NOTHROW(become_rank_when_launched(launcher, Program()));
  launcher.wants_mpi = true;
  CHECK_NOTHROW(become_rank_when_launched(launcher, rank_program()));
}

TEST_CASE("a rank without its program is refused, and one of each host says why") {
  fleet::Launcher launcher;
  launcher.name = "mpirun";
  launcher.rank = 5;
  launcher.wants_mpi = true;
  Program program;
  program.paths.self = "/no/such/folder/rackproof";
  CHECK_THROWS_WITH(become_rank_when_launched(launcher, program),
                    Catch::StartsWith("rank 5, started by mpirun: "));
  launcher.local_rank = 1;
  CHECK_THROWS_AS(become_rank_when_launched(launcher, program), support::UsageError);
  CHECK_THROWS_WITH(become_rank_when_launched(launcher, program), "");
}

TEST_CASE("every obstacle has a sentence and a cure") {
  for (const auto obstacle : {fleet::RankObstacle::kNotBuilt, fleet::RankObstacle::kNotInstalled,
                              fleet::RankObstacle::kNoLibrary}) {
    const Lack lack = lack_of(obstacle, "/opt/bin", "libmpi.so.40", {"", "no such file"});
    CHECK_FALSE(lack.what.empty());
    CHECK_FALSE(lack.fix.empty());
  }
  CHECK(lack_of(fleet::RankObstacle::kNone, "", "", {}).what.empty());
}

TEST_CASE("two builds of one installation are refused") {
  Program program = rank_program();
  CHECK_NOTHROW(refuse_other_build(program));
  program.environment[kStartedAs] = "0.0.1 (another)";
  CHECK_THROWS_WITH(refuse_other_build(program), Catch::Contains("0.0.1 (another)"));
  // A variable that somebody has set means nothing to a program that nobody starts so.
  program.make_mpi_team = nullptr;
  CHECK_NOTHROW(refuse_other_build(program));
}
