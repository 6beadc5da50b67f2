#include "harness/job/launch.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"

using namespace rackproof;

TEST_CASE("a launch that cannot be continued is refused before anything is started") {
  job::Program program;
  const std::vector<std::string> unnamed = {"mpirun", "-n",      "2",    "rackproof",
                                            "run",    "--suite", "smoke"};
  CHECK_THROWS_AS(job::launch(unnamed, 3, program, {}), support::UsageError);
  const std::vector<std::string> named = {"mpirun", "-n", "2", "rackproof", "run", "--out", "x"};
  program.environment["OMPI_COMM_WORLD_SIZE"] = "2";
  CHECK_THROWS_WITH(job::launch(named, 3, program, {}),
                    Catch::Contains("cannot be started by one"));
}
