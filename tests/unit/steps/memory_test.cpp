#include "benches/steps/memory.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/steps/stage_memory.hpp"
#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;
using test::shipped_card;

constexpr Batch kBatch{512, 1, 4};

}  // namespace

TEST_CASE("a cache holds keys and values of the layers and heads of a rank") {
  // Twice the card's 327,680 B in bf16, since it is kept in float, over 8 x 2 ranks.
  CHECK(cache_bytes_of_token(shipped_card("llama-70b"), {8, 2, 1, 1, false}) == 2 * 327'680 / 16);
}

TEST_CASE("the largest part decides, weights and their gradients at the least") {
  const Card card = scaled(shipped_card("llama-8b"), 4, 1);
  const Layout layout{2, 2, 1, 1, false};
  const std::int64_t weights = 2 * layer_parameters_of_rank(card, layout) * 4;
  CHECK(stage_bytes(card, layout, kBatch) > 2 * weights);
  Needs needs;
  needs.passes = true;
  CHECK(needed_bytes(card, layout, kBatch, needs) == stage_bytes(card, layout, kBatch));
  needs.decode_batch = 256;
  needs.context = 8192;
  CHECK(needed_bytes(card, layout, kBatch, needs) >
        256 * 8192 * cache_bytes_of_token(card, layout));
}

TEST_CASE("too little memory is refused with what is missing, and the layout that would fit") {
  const Card card = scaled(shipped_card("llama-8b"), 4, 1);
  const Layout replicas{1, 1, 4, 1, false};
  const Layout cut{2, 2, 1, 1, false};
  Needs needs;
  needs.passes = true;
  const std::int64_t room = needed_bytes(card, cut, kBatch, needs);
  CHECK_NOTHROW(demand_memory(card, cut, kBatch, needs, room));
  CHECK_THROWS_AS(demand_memory(card, replicas, kBatch, needs, room), kit::UsageError);
  CHECK_THROWS_WITH(demand_memory(card, replicas, kBatch, needs, room),
                    Contains("GiB are missing") && Contains("--tp") && Contains("and fits"));
}

TEST_CASE("where no layout fits, the number of layers that would is said, or that none does") {
  const Card card = scaled(shipped_card("llama-8b"), 8, 1);
  const Layout layout{1, 1, 1, 1, false};
  Needs needs;
  needs.passes = true;
  const std::int64_t room = needed_bytes(scaled(card, 3, 1), layout, kBatch, needs);
  CHECK_THROWS_WITH(demand_memory(card, layout, kBatch, needs, room),
                    Contains("no layout of 1 ranks fits, --layers 3"));
  CHECK_THROWS_WITH(demand_memory(card, layout, kBatch, needs, 1000),
                    Contains("not even with one layer"));
}

}  // namespace rackproof::steps
