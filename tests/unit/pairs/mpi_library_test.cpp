#include <catch2/catch.hpp>

#include "benches/kit/mpi/mpi.hpp"

using rackproof::kit::mpi::parse_library;

TEST_CASE("the name and version of an MPI library are found in its own words") {
  using Library = std::map<std::string, std::string>;
  CHECK(parse_library("Open MPI v4.1.4, package: Debian") == Library{{"Open MPI", "4.1.4"}});
  CHECK(parse_library("MPICH Version:\t4.0.2\nMPICH Release date:\tx") ==
        Library{{"MPICH", "4.0.2"}});
  CHECK(parse_library("Something else") == Library{{"MPI", "Something else"}});
}
