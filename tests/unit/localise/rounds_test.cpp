#include "harness/localise/rounds.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace rackproof;
using contract::Tournament;
using localise::is_told;
using localise::rounds_needed;
using localise::Wanted;

TEST_CASE("a deficit of 3 % among ten thousand takes fifteen rounds at a noise of 1.5 %") {
  Wanted wanted;
  wanted.parts = 10'000;
  CHECK(rounds_needed(wanted) == 15);
  wanted.deficit = 0.05;
  CHECK(rounds_needed(wanted) == 6);
  wanted.deficit = 0.10;
  CHECK(rounds_needed(wanted) == 3);  // two by the formula, and two do not tell levels
}

TEST_CASE("more parts take hardly more rounds") {
  Wanted wanted;
  wanted.parts = 100;
  const int few = rounds_needed(wanted);
  wanted.parts = 1'000'000;
  CHECK(few >= 10);
  CHECK(rounds_needed(wanted) <= 2 * few);
}

TEST_CASE("what makes no sense as a search is an error") {
  CHECK_THROWS_AS(rounds_needed({0, 0.01, 5}), std::invalid_argument);
  CHECK_THROWS_AS(rounds_needed({0.03, 1, 5}), std::invalid_argument);
  CHECK_THROWS_AS(rounds_needed({0.03, 0.01, 0}), std::invalid_argument);
  CHECK_THROWS_AS(rounds_needed({0.03, 0.01, 5, 0}), std::invalid_argument);
  CHECK_THROWS_AS(rounds_needed({0.03, 0.01, 5, 0.05, 1}), std::invalid_argument);
}

TEST_CASE("two rounds of an even number never tell levels") {
  for (int members = 4; members <= 60; members += 2)
    CHECK_FALSE(is_told(Tournament(members, 2, 1)));
}

TEST_CASE("from three rounds on every draw tells the level of every member") {
  for (int members = 4; members <= 200; ++members) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      for (const int rounds : {3, 4, 6}) {
        CAPTURE(members, seed, rounds);
        CHECK(is_told(Tournament(members, rounds, seed)));
      }
    }
  }
}
