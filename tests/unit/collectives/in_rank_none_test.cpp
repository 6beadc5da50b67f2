#include <catch2/catch.hpp>

#include "benches/collectives/in_rank.hpp"

TEST_CASE("a build without MPI has nothing to run inside its ranks") {
  CHECK(rackproof::collectives::in_rank_benches().empty());
}
