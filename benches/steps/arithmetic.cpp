#include "benches/steps/arithmetic.hpp"

namespace rackproof::steps {
namespace {

std::int64_t attention_parameters(const Card& card) {
  return card.hidden * (card.qkv_columns() + card.hidden);
}

std::int64_t expert_parameters(const Card& card) { return 3 * card.hidden * card.feed_forward; }

}  // namespace

std::int64_t layer_parameters(const Card& card) {
  return attention_parameters(card) + card.experts * expert_parameters(card);
}

std::int64_t active_layer_parameters(const Card& card) {
  return attention_parameters(card) + card.experts_per_token * expert_parameters(card);
}

std::int64_t layer_parameters_of_rank(const Card& card, const Layout& layout) {
  return (attention_parameters(card) + card.experts / layout.expert * expert_parameters(card)) /
         layout.tensor;
}

double layer_forward_flop(const Card& card, const Batch& batch) {
  const auto tokens = static_cast<double>(batch.tokens());
  return 2 * tokens * static_cast<double>(active_layer_parameters(card)) +
         2 * tokens * static_cast<double>(batch.sequence) * static_cast<double>(card.hidden);
}

Messages layer_messages(const Card& card, const Layout& layout, const Batch& batch) {
  const std::int64_t width = bytes_of_precision(card.precision);
  Messages messages;
  messages.tensor = batch.tokens() * card.hidden * width;
  messages.pipeline = messages.tensor;
  messages.weights = layer_parameters_of_rank(card, layout) * width;
  messages.gradients = messages.weights;
  messages.dispatch = batch.tokens() * card.experts_per_token * card.hidden;
  messages.combine = messages.dispatch * width;
  return messages;
}

double fsdp_bytes_of_rank(const Card& card, const Layout& layout) {
  const auto replicas = static_cast<double>(layout.replicas());
  const auto layers = static_cast<double>(card.layers / layout.pipeline);
  const auto weights = static_cast<double>(layer_parameters_of_rank(card, layout) *
                                           bytes_of_precision(card.precision));
  return 3 * layers * weights * (replicas - 1) / replicas;
}

std::int64_t kv_bytes_of_token(const Card& card) {
  return 2 * card.layers * card.kv_heads * card.head_size() * bytes_of_precision(card.precision);
}

double bubble(std::int64_t stages, std::int64_t micro_batches, std::int64_t pieces) {
  return static_cast<double>(stages - 1) / static_cast<double>(pieces * micro_batches);
}

double model_flop_of_token(const Card& card, std::int64_t sequence) {
  const auto layers = static_cast<double>(card.layers);
  return layers * (6 * static_cast<double>(active_layer_parameters(card)) +
                   12 * static_cast<double>(card.hidden) * static_cast<double>(sequence));
}

double decode_bound_seconds(const Card& card, const Layout& layout, std::int64_t sequences,
                            std::int64_t context, double bytes_per_second) {
  const auto layers = static_cast<double>(card.layers / layout.pipeline);
  const auto width = static_cast<double>(bytes_of_precision(card.precision));
  const auto weights = layers * static_cast<double>(layer_parameters_of_rank(card, layout)) * width;
  const double cache = static_cast<double>(kv_bytes_of_token(card)) *
                       static_cast<double>(sequences) * static_cast<double>(context) /
                       static_cast<double>(layout.tensor * layout.pipeline);
  return (weights + cache) / bytes_per_second;
}

}  // namespace rackproof::steps
