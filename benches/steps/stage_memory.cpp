#include "benches/steps/stage_memory.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "benches/kit/product/operands.hpp"

namespace rackproof::steps {
namespace {

Floats floats(std::int64_t count) {
  Floats made(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  product::fill_value(made.span(), 0.0F);
  return made;
}

Floats drawn(const Operands& operands, Operand operand, const At& at) {
  Floats made(static_cast<std::size_t>(operands.elements(operand)));
  product::fill_integers(made.span(), operands.bound(), operands.drawn(operand, at).seed);
  return made;
}

// The rows of each matrix that one of `replicas` keeps.
WeightMemory shards_of(WeightMemory& whole, std::int64_t replicas, std::int64_t own) {
  WeightMemory shards;
  const std::array to = shards.all();
  const std::array from = whole.all();
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::size_t part = from[i]->size() / static_cast<std::size_t>(replicas);
    *to[i] = Floats(part);
    const auto rows = from[i]->span().subspan(static_cast<std::size_t>(own) * part, part);
    std::copy(rows.begin(), rows.end(), to[i]->data());
  }
  return shards;
}

// Scores of a head, and queries, keys and values of all: what attention needs beside.
std::int64_t wide_elements(const Shape& shape) {
  return std::max(
      {shape.tokens * shape.qkv, shape.rows() * shape.gate_up, shape.tokens * shape.hidden});
}

}  // namespace

StageMemory::StageMemory(const Shape& shape, const Layout& layout, const Place& place,
                         std::int64_t micro_batches, const Operands& operands)
    : sharded_(layout.sharded),
      wide_(floats(wide_elements(shape))),
      heads_(floats(shape.tokens * shape.qkv)),
      scores_(floats(kAttentionRows * shape.sequence)) {
  const auto make = [&](Operand operand, std::int64_t index) {
    return drawn(operands, operand, {place, index});
  };
  const auto count = [&](Operand operand) { return operands.elements(operand); };
  output_at_ = count(Operand::kQkvWeights);
  dense_ = output_at_ + count(Operand::kOutputWeights);
  down_at_ = dense_ + count(Operand::kGateUpWeights);
  expert_ = count(Operand::kGateUpWeights) + count(Operand::kDownWeights);
  product::fill_integers(heads_.span(), 1, 1);
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    const std::int64_t index = shape.first_layer + layer;
    const auto weights = [&] {
      return WeightMemory{make(Operand::kQkvWeights, index), make(Operand::kOutputWeights, index),
                          make(Operand::kGateUpWeights, index), make(Operand::kDownWeights, index)};
    };
    LayerMemory& made = layers_.emplace_back();
    made.weights = weights();
    made.gradients = floats(dense_ + expert_);
    if (!sharded_) continue;
    made.again = weights();
    made.shards = shards_of(made.weights, layout.data, place.data);
    made.gradient_shards = shards_of(made.weights, layout.data, place.data);
  }
  const std::int64_t plain = shape.tokens * shape.hidden;
  const std::int64_t routed = shape.rows() * shape.hidden;
  const std::int64_t away = layout.expert > 1 ? routed : 1;
  const std::int64_t before = place.stage > 0 ? plain : 1;
  const std::int64_t behind = place.stage + 1 < layout.pipeline ? plain : 1;
  for (std::int64_t batch = 0; batch < micro_batches; ++batch) {
    batches_.push_back({make(Operand::kInput, batch), make(Operand::kToExperts, batch),
                        make(Operand::kContext, batch), make(Operand::kActivation, batch),
                        make(Operand::kOutputGradient, batch),
                        make(Operand::kToExpertsGradient, batch),
                        make(Operand::kGateUpGradient, batch), make(Operand::kQkvGradient, batch),
                        floats(before), floats(behind)});
  }
  for (std::int64_t i = 0; i < shape.layers * micro_batches; ++i) {
    results_.push_back({floats(plain), floats(routed), floats(plain), floats(routed), floats(away),
                        floats(away), floats(away), floats(away)});
  }
}

float* StageMemory::gradient(std::int64_t layer, Operand weights) {
  float* const first = this->layer(layer).gradients.data();
  switch (weights) {
    case Operand::kOutputWeights:
      return first + output_at_;
    case Operand::kGateUpWeights:
      return first + dense_;
    case Operand::kDownWeights:
      return first + down_at_;
    default:
      return first;
  }
}

void StageMemory::turn() {
  for (BatchMemory& batch : batches_) {
    for (float& value : batch.to_experts.span()) value = -value;
    for (float& value : batch.to_experts_gradient.span()) value = -value;
  }
  if (!sharded_) return;
  constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
  for (LayerMemory& layer : layers_) {
    for (WeightMemory* const weights : {&layer.weights, &layer.again}) {
      for (Floats* const matrix : weights->all()) product::fill_value(matrix->span(), kNothing);
    }
  }
}

void StageMemory::prove_forward(Proof& proof, std::int64_t layer, std::int64_t at,
                                const Layout& layout, const Place& place,
                                const Operands& operands) {
  for (std::int64_t batch = 0; batch < static_cast<std::int64_t>(batches_.size()); ++batch) {
    ResultMemory& made = result(layer, batch);
    const auto add = [&](const char* name, const Floats& data, Expected expected) {
      proof.add({at, name, batch, data.data(), std::move(expected)});
    };
    add("attention.output", made.attention, operands.attention_output(place, at, batch));
    add("mlp.output", made.experts, operands.expert_output(place, at, batch));
    if (layout.expert == 1) continue;
    add("experts.dispatch", made.dispatched, operands.exchanged(Operand::kToExperts, place, batch));
    add("experts.combine", made.combined, operands.exchanged(place, [&](const Place& from) {
      return operands.expert_output(from, at, batch);
    }));
  }
}

void StageMemory::prove_backward(Proof& proof, std::int64_t layer, std::int64_t at,
                                 const Layout& layout, const Place& place,
                                 const Operands& operands) {
  for (std::int64_t batch = 0; batch < static_cast<std::int64_t>(batches_.size()); ++batch) {
    ResultMemory& made = result(layer, batch);
    const auto add = [&](const char* name, const Floats& data, Expected expected) {
      proof.add({at, name, batch, data.data(), std::move(expected)});
    };
    add("attention.input gradient", made.attention_gradient,
        operands.attention_input_gradient(place, at, batch));
    add("mlp.input gradient", made.experts_gradient,
        operands.expert_input_gradient(place, at, batch));
    if (layout.expert == 1) continue;
    add("experts.dispatch of gradients", made.dispatched_gradient,
        operands.exchanged(Operand::kToExpertsGradient, place, batch));
    add("experts.combine of gradients", made.combined_gradient,
        operands.exchanged(place, [&](const Place& from) {
          return operands.expert_input_gradient(from, at, batch);
        }));
  }
  prove_gradients(proof, layer, at, layout, place, operands);
  if (sharded_) prove_weights(proof, layer, at, place, operands);
}

void StageMemory::prove_gradients(Proof& proof, std::int64_t layer, std::int64_t at,
                                  const Layout& layout, const Place& place,
                                  const Operands& operands) {
  LayerMemory& memory = this->layer(layer);
  const auto add = [&](const char* name, Operand weights, const Floats& shard, Expected expected) {
    if (!sharded_) {
      proof.add({at, name, -1, gradient(layer, weights), std::move(expected)});
      return;
    }
    const std::int64_t rows = expected.rows() / layout.data;
    proof.add({at, name, -1, shard.data(), slice(expected, place.data * rows, rows)});
  };
  WeightMemory& shards = memory.gradient_shards;
  add("attention.qkv gradient", Operand::kQkvWeights, shards.qkv, operands.qkv_gradient(place));
  add("attention.output gradient", Operand::kOutputWeights, shards.output,
      operands.output_gradient(place));
  add("mlp.gate_up gradient", Operand::kGateUpWeights, shards.gate_up,
      operands.gate_up_gradient(place));
  add("mlp.down gradient", Operand::kDownWeights, shards.down, operands.down_gradient(place));
}

void StageMemory::prove_weights(Proof& proof, std::int64_t layer, std::int64_t at,
                                const Place& place, const Operands& operands) {
  LayerMemory& memory = this->layer(layer);
  const auto add = [&](const char* name, Operand weights, const Floats& data) {
    proof.add({at, name, -1, data.data(), operands.weights(weights, place, at), false});
  };
  add("attention.qkv weights", Operand::kQkvWeights, memory.weights.qkv);
  add("attention.output weights", Operand::kOutputWeights, memory.weights.output);
  add("mlp.gate_up weights", Operand::kGateUpWeights, memory.weights.gate_up);
  add("mlp.down weights", Operand::kDownWeights, memory.weights.down);
  add("attention.qkv weights, backward", Operand::kQkvWeights, memory.again.qkv);
  add("attention.output weights, backward", Operand::kOutputWeights, memory.again.output);
  add("mlp.gate_up weights, backward", Operand::kGateUpWeights, memory.again.gate_up);
  add("mlp.down weights, backward", Operand::kDownWeights, memory.again.down);
}

void StageMemory::prove(Proof& proof, const Shape& shape, const Layout& layout, const Place& place,
                        const Operands& operands, bool backward) {
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    prove_forward(proof, layer, shape.first_layer + layer, layout, place, operands);
    if (backward) prove_backward(proof, layer, shape.first_layer + layer, layout, place, operands);
  }
  for (std::int64_t batch = 0; batch < static_cast<std::int64_t>(batches_.size()); ++batch) {
    Place other = place;
    if (place.stage > 0) {
      --other.stage;
      const std::int64_t before = shape.first_layer - 1;
      proof.add({before, "from the stage before", batch, this->batch(batch).from_before.data(),
                 slice(operands.expert_output(other, before, batch), 0, shape.tokens)});
    }
    other = place;
    if (backward && place.stage + 1 < layout.pipeline) {
      ++other.stage;
      const std::int64_t next = shape.first_layer + shape.layers;
      proof.add({next, "gradient from the stage behind", batch,
                 this->batch(batch).from_behind.data(),
                 operands.attention_input_gradient(other, next, batch)});
    }
  }
}

std::int64_t stage_bytes(const Card& card, const Layout& layout, const Batch& batch) {
  // A stage in the middle receives from both sides.
  const Shape shape = shape_of(card, layout, batch, {});
  const std::int64_t weights = layer_parameters_of_rank(card, layout);
  const std::int64_t plain = shape.tokens * shape.hidden;
  const std::int64_t routed = shape.rows() * shape.hidden;
  const std::int64_t of_batch = 4 * plain + 2 * routed +
                                shape.tokens * (shape.context + shape.qkv) +
                                shape.rows() * (shape.activation + shape.gate_up);
  const std::int64_t of_result = 2 * plain + 2 * routed + (layout.expert > 1 ? 4 * routed : 0);
  const std::int64_t scratch =
      wide_elements(shape) + shape.tokens * shape.qkv + kAttentionRows * shape.sequence;
  // Weights of both passes, and shards of weights and of gradients.
  const std::int64_t sharded = layout.sharded ? weights + 2 * weights / layout.data : 0;
  return static_cast<std::int64_t>(sizeof(float)) *
         (shape.layers * (2 * weights + sharded) + batch.micro_batches * of_batch +
          shape.layers * batch.micro_batches * of_result + scratch);
}

}  // namespace rackproof::steps
