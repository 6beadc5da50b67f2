#include "benches/steps/shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/errors.hpp"
#include "benches/kit/product/exact_bound.hpp"

namespace rackproof::steps {
namespace {

constexpr int kFloatBits = 24;

}  // namespace

Shape shape_of(const Card& card, const Layout& layout, const Batch& batch, const Place& place) {
  Shape shape;
  shape.tokens = batch.tokens();
  shape.sequence = batch.sequence;
  shape.hidden = card.hidden;
  shape.qkv = card.qkv_columns() / layout.tensor;
  shape.context = card.hidden / layout.tensor;
  shape.heads = card.heads / layout.tensor;
  shape.head_size = card.head_size();
  shape.gate_up = 2 * card.feed_forward / layout.tensor;
  shape.activation = card.feed_forward / layout.tensor;
  shape.experts = card.experts / layout.expert;
  const std::int64_t met = shape.tokens * card.experts_per_token * layout.expert;
  if (met % card.experts != 0) {
    throw kit::UsageError(fmt::format(
        "--sequence {}: expected tokens that the {} experts of {} share evenly, {} of them a token",
        batch.sequence, card.experts, card.name, card.experts_per_token));
  }
  shape.expert_rows = met / card.experts;
  if (layout.sequence_parallel && shape.tokens % layout.tensor != 0) {
    throw kit::UsageError(
        fmt::format("--sequence {}: expected a multiple of --tp {}, over which "
                    "--sequence-parallel cuts it",
                    batch.sequence, layout.tensor));
  }
  shape.layers = card.layers / layout.pipeline;
  shape.first_layer = shape.layers * place.stage;
  return shape;
}

std::int64_t longest_sum(const Card& card, const Layout& layout, const Batch& batch) {
  const std::int64_t tokens = std::max(batch.tokens(), batch.tokens() * card.experts_per_token);
  return std::max({card.hidden, card.qkv_columns(), 2 * card.feed_forward,
                   tokens * batch.micro_batches * layout.replicas()});
}

std::int64_t operand_bound(const Card& card, const Layout& layout, const Batch& batch) {
  const std::int64_t bound = product::exact_bound(longest_sum(card, layout, batch), kFloatBits);
  if (bound < 1) {
    throw kit::UsageError(
        fmt::format("a gradient of this batch sums over {} tokens, and floats count exactly to {}: "
                    "choose fewer "
                    "micro-batches or replicas",
                    longest_sum(card, layout, batch), std::int64_t{1} << kFloatBits));
  }
  return bound;
}

}  // namespace rackproof::steps
