#include "benches/stream/race.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using rackproof::stream::Race;

TEST_CASE("everybody runs once, however slow") {
  Race race(3);
  race.took(0, 1);
  CHECK(race.runs(1));
  race.took(1, 100);
  CHECK(race.runs(2));
  CHECK(std::isinf(race.best(2)));
}

TEST_CASE("who has fallen behind runs no more, the others go on") {
  Race race(3);
  race.took(0, 1.0);
  race.took(1, 1.3);
  race.took(2, 1.2);
  CHECK(race.runs(0));
  CHECK_FALSE(race.runs(1));
  CHECK(race.runs(2));
  race.took(2, 0.7);
  CHECK_FALSE(race.runs(0));
  CHECK(race.runs(2));
}

TEST_CASE("the least time counts") {
  Race race(1);
  race.took(0, 2);
  race.took(0, 1);
  race.took(0, 3);
  CHECK(race.best(0) == 1);
  CHECK(race.runs(0));
}
