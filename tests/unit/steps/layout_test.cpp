#include "benches/steps/layout.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;
using test::shipped_card;

}  // namespace

TEST_CASE("every rank has one place, and the ranks of a tensor group are neighbours") {
  const Layout layout{2, 3, 2, 2, false};
  for (std::int64_t rank = 0; rank < layout.ranks(); ++rank) {
    CHECK(rank_of(place_of(rank, layout), layout) == rank);
  }
  CHECK(place_of(1, layout) == Place{1, 0, 0, 0});
  CHECK(place_of(2, layout) == Place{0, 1, 0, 0});
  CHECK(place_of(8, layout) == Place{0, 0, 0, 1});
}

TEST_CASE("a layout whose product is not the ranks is answered with the nearest that fit") {
  const Card card = shipped_card("llama-8b");
  CHECK_NOTHROW(demand_fit({2, 2, 1, 1, false}, card, 4));
  CHECK_THROWS_WITH(demand_fit({2, 2, 1, 1, false}, card, 8),
                    Contains("expected a product of 8, the number of ranks, and it is 4") &&
                        Contains("the nearest that fit 8 ranks: --tp 2 --pp 2 --dp 2"));
  CHECK_THROWS_AS(demand_fit({2, 2, 1, 1, false}, card, 8), kit::UsageError);
}

TEST_CASE("what the card cannot be cut into is refused, with what was expected") {
  const Card card = scaled(shipped_card("llama-8b"), 4, 1);
  CHECK_THAT(misfit({1, 8, 1, 1, false}, card),
             Contains("--pp 8: expected at most one stage a layer"));
  CHECK_THAT(misfit({1, 3, 1, 1, false}, card),
             Contains("--pp 3: expected a divisor of the 4 layers"));
  CHECK_THAT(misfit({16, 1, 1, 1, false}, card),
             Contains("--tp 16: expected a divisor of the 8 heads"));
  CHECK_THAT(misfit({1, 1, 1, 2, false}, card), Contains("--ep 2: expected 1"));
  CHECK_THAT(misfit({1, 1, 1, 1, true}, card), Contains("--sequence-parallel"));
  CHECK_THAT(misfit({1, 1, 1, 1, false, true}, card),
             Contains("--fsdp: expected --dp of at least 2"));
  CHECK_THAT(misfit({1, 1, 3, 1, false, true}, card), Contains("to divide the 4096 rows"));
  CHECK(misfit({2, 1, 4, 1, false, true}, card).empty());
  CHECK(text_of({2, 1, 4, 1, false, true}) == "--tp 2 --pp 1 --dp 4 --fsdp");
  const Card experts = shipped_card("mixtral-8x7b");
  CHECK_THAT(misfit({1, 1, 1, 3, false}, experts),
             Contains("--ep 3: expected a divisor of the 8 experts"));
  CHECK(misfit({1, 1, 1, 8, false}, experts).empty());
}

TEST_CASE("layouts that fit have the asked ranks, and the nearest comes first") {
  const Card card = shipped_card("mixtral-8x7b");
  const Layout asked{4, 1, 1, 2, false};
  const auto all = fitting_layouts(asked, card, 8);
  REQUIRE(!all.empty());
  CHECK(all.front() == asked);
  for (const Layout& layout : all) {
    CHECK(layout.ranks() == 8);
    CHECK(misfit(layout, card).empty());
  }
}

}  // namespace rackproof::steps
