#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "harness/inventory/doctor.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {

TEST_CASE("the user, the folders and the launcher are looked up below the root") {
  const Machine machine("grace");
  machine.write("/tmp/x", "");
  machine.write("/dev/shm/x", "");
  machine.write("/opt/mpi/bin/mpirun", "");
  const std::map<std::string, std::string> environment = {{"PATH", "/usr/bin::/opt/mpi/bin"}};
  Surroundings found = look_around(environment, "/tmp", machine.root());
  CHECK(found.is_root);
  CHECK(found.temporary_free_bytes.value_or(0) > 0);
  CHECK(found.shm_bytes.value_or(0) > 0);
  CHECK_FALSE(found.mpirun);
  REQUIRE(::chmod((machine.root() + "/opt/mpi/bin/mpirun").c_str(), 0755) == 0);
  found = look_around(environment, "/tmp", machine.root());
  CHECK(found.mpirun == "/opt/mpi/bin/mpirun");
  CHECK_FALSE(look_around({}, "/tmp", machine.root()).mpirun);
}

TEST_CASE("an ordinary user, and folders that are missing") {
  const Machine machine("epyc-two-sockets");
  const Surroundings found = look_around({}, "/tmp", machine.root());
  CHECK_FALSE(found.is_root);
  CHECK_FALSE(found.temporary_free_bytes);
  CHECK(found.temporary_problem == "No such file or directory");
  CHECK_FALSE(found.shm_bytes);
}

TEST_CASE("a user who cannot be read is no root") {
  CHECK_FALSE(look_around({}, "/tmp", Machine().root()).is_root);
}

}  // namespace rackproof::inventory
