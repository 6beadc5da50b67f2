#include "contract/progress_page.hpp"

#include <catch2/catch.hpp>
#include <vector>

using rackproof::contract::packed;
using rackproof::contract::Place;
using rackproof::contract::unpacked;

TEST_CASE("places are packed into a word in their order, and come back whole") {
  const std::vector<Place> in_order = {{1, 0, 1}, {1, 0, 2},   {1, 0, 0},          {1, 1, 1},
                                       {1, 1, 0}, {1, 127, 0}, {1, 1LL << 35, 0},  {2, 0, 1},
                                       {2, 0, 0}, {2, 0, 0},   {65'535, 3, 4'094}, {65'535, 3, 0}};
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    CHECK(unpacked(packed(in_order[i])) == in_order[i]);
    if (i == 0) continue;
    CHECK(in_order[i - 1] <= in_order[i]);
    CHECK(packed(in_order[i - 1]) <= packed(in_order[i]));
    CHECK((in_order[i - 1] < in_order[i]) == (packed(in_order[i - 1]) < packed(in_order[i])));
  }
  CHECK(unpacked(0) == Place{});
  CHECK(Place{} < in_order.front());
}

TEST_CASE("a place beyond its bits stays the most that they hold, and never goes back") {
  const Place far{1LL << 40, 1LL << 50, 1LL << 30};
  CHECK(unpacked(packed(far)) == Place{(1 << 16) - 1, (1LL << 36) - 1, 4'094});
  CHECK(packed(far) < packed({far.cell, far.iteration, 0}));
}
