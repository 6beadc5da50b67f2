#include <catch2/catch.hpp>

#include "benches/pairs/in_rank.hpp"

TEST_CASE("a build without MPI has no pairs to run inside its ranks") {
  CHECK(rackproof::pairs::in_rank_benches().empty());
}
