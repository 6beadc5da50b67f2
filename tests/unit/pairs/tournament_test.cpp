#include "benches/pairs/tournament.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using namespace rackproof::pairs;

namespace {

void check_tournament(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<std::vector<int>> met(n, std::vector<int>(n, 0));
  std::vector<int> byes(n, 0);
  for (int round = 0; round < rounds(ranks); ++round) {
    int alone = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const int other = partner(ranks, round, rank);
      if (other == kBye) {
        ++alone;
        ++byes[static_cast<std::size_t>(rank)];
        continue;
      }
      REQUIRE(other >= 0);
      REQUIRE(other < ranks);
      REQUIRE(other != rank);
      REQUIRE(partner(ranks, round, other) == rank);  // so pairs are disjoint
      ++met[static_cast<std::size_t>(rank)][static_cast<std::size_t>(other)];
    }
    REQUIRE(alone == ranks % 2);
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) REQUIRE(met[a][b] == (a == b ? 0 : 1));
    REQUIRE(byes[a] == ranks % 2);
  }
}

}  // namespace

TEST_CASE("every two ranks meet exactly once and nobody twice in a round") {
  for (int ranks = 2; ranks <= 66; ++ranks) check_tournament(ranks);
  check_tournament(257);
  check_tournament(1024);
}

TEST_CASE("there are n - 1 rounds, n for an odd number, none for one") {
  CHECK(rounds(0) == 0);
  CHECK(rounds(1) == 0);
  CHECK(rounds(2) == 1);
  CHECK(rounds(3) == 3);
  CHECK(rounds(8) == 7);
  CHECK(rounds(4096) == 4095);
}

TEST_CASE("a round or rank that is not there is an error") {
  CHECK_THROWS_AS(partner(4, 3, 0), std::invalid_argument);
  CHECK_THROWS_AS(partner(4, -1, 0), std::invalid_argument);
  CHECK_THROWS_AS(partner(4, 0, 4), std::invalid_argument);
  CHECK_THROWS_AS(partner(1, 0, 0), std::invalid_argument);
}
