#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "benches/kit/buffer.hpp"
#include "benches/steps/operands.hpp"
#include "benches/steps/proof.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {

using Floats = kit::Buffer<float>;

/// The matrices of a layer.
struct WeightMemory {
  Floats qkv{1}, output{1}, gate_up{1}, down{1};

  std::array<Floats*, 4> all() { return {&qkv, &output, &gate_up, &down}; }
};

/// The weights of a layer, and their gradients one behind the other: qkv, output, gate_up, down.
/// Where replicas share the weights (FSDP) each pass has weights of its own, gathered out of the
/// shards of all of them, and what a rank keeps of the gradients is its shard.
struct LayerMemory {
  WeightMemory weights;
  Floats gradients{1};
  WeightMemory again;  ///< of the backward pass
  WeightMemory shards;
  WeightMemory gradient_shards;
};

/// The operands of a micro-batch, the same for all layers, and what the neighbouring stages send.
struct BatchMemory {
  Floats input, to_experts, context, activation;
  Floats output_gradient, to_experts_gradient, gate_up_gradient, qkv_gradient;
  Floats from_before, from_behind;
};

/// What a layer makes of a micro-batch and sends to other ranks, or gets from them.
struct ResultMemory {
  Floats attention, experts, attention_gradient, experts_gradient;
  Floats dispatched, combined, dispatched_gradient, combined_gradient;
};

/// All that a stage holds.
class StageMemory {
 public:
  StageMemory(const Shape& shape, const Layout& layout, const Place& place,
              std::int64_t micro_batches, const Operands& operands);

  LayerMemory& layer(std::int64_t layer) { return layers_[static_cast<std::size_t>(layer)]; }
  BatchMemory& batch(std::int64_t batch) { return batches_[static_cast<std::size_t>(batch)]; }
  ResultMemory& result(std::int64_t layer, std::int64_t batch) {
    return results_[static_cast<std::size_t>(layer) * batches_.size() +
                    static_cast<std::size_t>(batch)];
  }
  /// What a pass forward or backward through a layer multiplies with.
  const WeightMemory& weights(std::int64_t layer, bool backward) {
    LayerMemory& memory = this->layer(layer);
    return backward && sharded_ ? memory.again : memory.weights;
  }
  /// The gradient of those weights within the gradients of a layer.
  float* gradient(std::int64_t layer, Operand weights);
  /// Elements of the gradients that all replicas share; those of experts lie behind them.
  std::int64_t dense_gradients() const { return dense_; }
  std::int64_t expert_gradients() const { return expert_; }

  Floats& wide() { return wide_; }    ///< for results that stay on the rank
  Floats& heads() { return heads_; }  ///< queries, keys and values
  Floats& scores() { return scores_; }

  /// Negates what goes to the experts, and forgets the weights that are to be gathered, so that a
  /// message that did not come is seen.
  void turn();

  /// Adds every tensor that crosses ranks to the proof; `backward` those of backward passes too.
  void prove(Proof& proof, const Shape& shape, const Layout& layout, const Place& place,
             const Operands& operands, bool backward);

 private:
  void prove_forward(Proof& proof, std::int64_t layer, std::int64_t at, const Layout& layout,
                     const Place& place, const Operands& operands);
  void prove_backward(Proof& proof, std::int64_t layer, std::int64_t at, const Layout& layout,
                      const Place& place, const Operands& operands);
  void prove_gradients(Proof& proof, std::int64_t layer, std::int64_t at, const Layout& layout,
                       const Place& place, const Operands& operands);
  void prove_weights(Proof& proof, std::int64_t layer, std::int64_t at, const Place& place,
                     const Operands& operands);

  std::vector<LayerMemory> layers_;
  std::vector<BatchMemory> batches_;
  std::vector<ResultMemory> results_;
  bool sharded_ = false;
  std::int64_t dense_ = 0;
  std::int64_t expert_ = 0;
  std::int64_t output_at_ = 0;
  std::int64_t down_at_ = 0;
  Floats wide_;
  Floats heads_;
  Floats scores_;
};

/// Rows of attention that are computed at once.
inline constexpr std::int64_t kAttentionRows = 128;

/// Bytes that a stage of that layout takes.
std::int64_t stage_bytes(const Card& card, const Layout& layout, const Batch& batch);

}  // namespace rackproof::steps
