#include "contract/tournament.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

using rackproof::contract::kBye;
using rackproof::contract::Tournament;

namespace {

void check_tournament(int members) {
  const Tournament all(members);
  const auto n = static_cast<std::size_t>(members);
  std::vector<std::vector<int>> met(n, std::vector<int>(n, 0));
  std::vector<int> byes(n, 0);
  for (int round = 0; round < all.rounds(); ++round) {
    int alone = 0;
    for (int member = 0; member < members; ++member) {
      const int other = all.partner(round, member);
      if (other == kBye) {
        ++alone;
        ++byes[static_cast<std::size_t>(member)];
        continue;
      }
      REQUIRE(other >= 0);
      REQUIRE(other < members);
      REQUIRE(other != member);
      REQUIRE(all.partner(round, other) == member);  // so pairs are disjoint
      ++met[static_cast<std::size_t>(member)][static_cast<std::size_t>(other)];
    }
    REQUIRE(alone == members % 2);
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) REQUIRE(met[a][b] == (a == b ? 0 : 1));
    REQUIRE(byes[a] == members % 2);
  }
}

/// Every member once a round, but for one bye among an odd number, and no pair twice.
void check_sample(int members, int rounds, std::uint64_t seed) {
  const Tournament some(members, rounds, seed);
  REQUIRE(some.rounds() == std::min(rounds, Tournament(members).rounds()));
  std::set<std::pair<int, int>> met;
  for (int round = 0; round < some.rounds(); ++round) {
    std::set<int> busy;
    for (const auto& [low, high] : some.pairs(round)) {
      REQUIRE(low < high);
      REQUIRE(busy.insert(low).second);
      REQUIRE(busy.insert(high).second);
      REQUIRE(some.partner(round, low) == high);
      REQUIRE(some.partner(round, high) == low);
      REQUIRE(met.emplace(low, high).second);
    }
    REQUIRE(busy.size() == static_cast<std::size_t>(members - members % 2));
  }
}

}  // namespace

TEST_CASE("every two members meet exactly once and nobody twice in a round") {
  for (int members = 2; members <= 66; ++members) check_tournament(members);
  check_tournament(257);
  check_tournament(1024);
}

TEST_CASE("there are n - 1 rounds, n for an odd number, none for one") {
  CHECK(Tournament(0).rounds() == 0);
  CHECK(Tournament(1).rounds() == 0);
  CHECK(Tournament(2).rounds() == 1);
  CHECK(Tournament(3).rounds() == 3);
  CHECK(Tournament(8).rounds() == 7);
  CHECK(Tournament(4096).rounds() == 4095);
}

TEST_CASE("a round or member that is not there is an error") {
  CHECK_THROWS_AS(Tournament(4).partner(3, 0), std::invalid_argument);
  CHECK_THROWS_AS(Tournament(4).partner(-1, 0), std::invalid_argument);
  CHECK_THROWS_AS(Tournament(4).partner(0, 4), std::invalid_argument);
  CHECK_THROWS_AS(Tournament(4).partner(0, -1), std::invalid_argument);
  CHECK_THROWS_AS(Tournament(1).partner(0, 0), std::invalid_argument);
  CHECK_THROWS_AS(Tournament(4, -1, 1), std::invalid_argument);
}

TEST_CASE("a few rounds are disjoint pairs that nobody plays twice, for any number and seed") {
  for (int members = 2; members <= 40; ++members) {
    for (const int rounds : {1, 3, 6, 15}) {
      for (const std::uint64_t seed : {1U, 2U, 99U}) check_sample(members, rounds, seed);
    }
  }
  check_sample(10'000, 15, 7);
  check_sample(10'001, 15, 7);
}

TEST_CASE("a sample that would be everything is the whole tournament in its own order") {
  const Tournament all(9);
  const Tournament same(9, 20, 5);
  REQUIRE(same.rounds() == all.rounds());
  for (int round = 0; round < all.rounds(); ++round) CHECK(same.pairs(round) == all.pairs(round));
}

TEST_CASE("the seed decides who meets, and the same seed decides the same") {
  const Tournament one(64, 6, 1);
  CHECK(one.pairs(0) == Tournament(64, 6, 1).pairs(0));
  CHECK(one.pairs(0) != Tournament(64, 6, 2).pairs(0));
  // What every build on every machine must agree on.
  using Pairs = std::vector<std::pair<int, int>>;
  CHECK(Tournament(8, 3, 1).pairs(0) == Pairs{{0, 3}, {1, 5}, {2, 6}, {4, 7}});
}
