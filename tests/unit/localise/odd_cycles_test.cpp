#include "harness/localise/odd_cycles.hpp"

#include <catch2/catch.hpp>

using rackproof::localise::in_odd_component;

TEST_CASE("only what is joined to a cycle of odd length is told") {
  CHECK(in_odd_component(3, {{0, 1}, {1, 2}, {0, 2}}) == std::vector<bool>{true, true, true});
  CHECK(in_odd_component(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}) == std::vector<bool>(4, false));
  // A tail on a triangle, a pair beside it, and one that never plays.
  CHECK(in_odd_component(7, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {4, 5}}) ==
        std::vector<bool>{true, true, true, true, false, false, false});
  CHECK(in_odd_component(0, {}).empty());
}
