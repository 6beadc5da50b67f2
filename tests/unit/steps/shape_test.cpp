#include "benches/steps/shape.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;
using test::shipped_card;

}  // namespace

TEST_CASE("the matrices of a rank are those of the card, cut by the layout") {
  const Layout layout{4, 2, 1, 1, false};
  const Shape shape = shape_of(shipped_card("llama-70b"), layout, {4096, 2, 1}, {1, 0, 0, 1});
  CHECK(shape.tokens == 8192);
  CHECK(shape.qkv == 10240 / 4);
  CHECK(shape.context == 8192 / 4);
  CHECK(shape.heads * shape.head_size == shape.context);
  CHECK(shape.gate_up == 2 * 28672 / 4);
  CHECK(shape.activation == 28672 / 4);
  CHECK(shape.rows() == 8192);
  CHECK(shape.layers == 40);
  CHECK(shape.first_layer == 40);
  const std::int64_t weights = shape.hidden * (shape.qkv + shape.gate_up) +
                               (shape.context + shape.activation) * shape.hidden;
  CHECK(weights == layer_parameters_of_rank(shipped_card("llama-70b"), layout));
}

TEST_CASE("experts share the tokens of their group evenly, or the batch is refused") {
  const Card card = shipped_card("mixtral-8x7b");
  const Shape shape = shape_of(card, {1, 1, 1, 4, false}, {1024, 1, 1}, {});
  CHECK(shape.experts == 2);
  CHECK(shape.expert_rows == 1024);
  CHECK(shape.rows() == 2048);
  CHECK_THROWS_WITH(shape_of(card, {}, {1023, 1, 1}, {}), Contains("share evenly"));
  CHECK_THROWS_WITH(shape_of(shipped_card("llama-8b"), {2, 1, 1, 1, true}, {511, 1, 1}, {}),
                    Contains("a multiple of --tp 2"));
}

TEST_CASE("operands are as large as the longest sum lets them be, and at least 1") {
  const Card card = shipped_card("llama-8b");
  CHECK(longest_sum(card, {}, {512, 1, 4}) == 28672);
  CHECK(operand_bound(card, {}, {512, 1, 4}) == 24);
  CHECK(longest_sum(card, {1, 1, 8, 1, false}, {8192, 1, 8}) == 524288);
  CHECK(operand_bound(card, {1, 1, 8, 1, false}, {8192, 1, 8}) == 5);
  CHECK_THROWS_AS(operand_bound(card, {1, 1, 1024, 1, false}, {8192, 1, 8}), kit::UsageError);
}

}  // namespace rackproof::steps
