#pragma once

#include <cstdint>

#include "benches/steps/expected.hpp"
#include "benches/steps/layout.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {

/// The operands of a step: what is multiplied, and what goes to experts. Weights belong to a layer,
/// the others to a micro-batch and the data of a replica.
enum class Operand {
  kInput,              ///< tokens x hidden: of qkv
  kToExperts,          ///< rows x hidden: what a rank sends to the experts, of gate_up
  kContext,            ///< tokens x context: of output
  kActivation,         ///< rows x activation: of down
  kOutputGradient,     ///< tokens x hidden: of output
  kToExpertsGradient,  ///< rows x hidden: of down
  kGateUpGradient,     ///< rows x gate_up
  kQkvGradient,        ///< tokens x qkv
  kQkvWeights,         ///< hidden x qkv
  kOutputWeights,      ///< context x hidden
  kGateUpWeights,      ///< experts x hidden x gate_up
  kDownWeights,        ///< experts x activation x hidden
};

/// Where an operand is: its rank, and the layer (weights) or the micro-batch (the others).
struct At {
  Place place;
  std::int64_t index = 0;
};

/// Knows every operand of every rank, and so what every tensor that crosses ranks must hold.
class Operands {
 public:
  Operands(const Shape& shape, const Layout& layout, std::int64_t micro_batches, std::int64_t bound,
           std::uint64_t seed)
      : shape_(shape), layout_(layout), micro_batches_(micro_batches), bound_(bound), seed_(seed) {}

  /// The matrix that a rank has as that operand, from `first_row` on.
  Drawn drawn(Operand operand, const At& at, std::int64_t first_row = 0) const;
  std::int64_t elements(Operand operand) const;
  std::int64_t bound() const { return bound_; }

  /// After the all-reduce over the tensor group, forward: of attention, and of the experts.
  Expected attention_output(const Place& place, std::int64_t layer, std::int64_t batch) const;
  Expected expert_output(const Place& place, std::int64_t layer, std::int64_t batch) const;
  /// The same, backward: gradients of the inputs.
  Expected attention_input_gradient(const Place& place, std::int64_t layer,
                                    std::int64_t batch) const;
  Expected expert_input_gradient(const Place& place, std::int64_t layer, std::int64_t batch) const;

  /// Weights of a layer, as they are.
  Expected weights(Operand operand, const Place& place, std::int64_t layer) const;
  /// Gradients of the weights, summed over micro-batches and replicas.
  Expected qkv_gradient(const Place& place) const;
  Expected output_gradient(const Place& place) const;
  Expected gate_up_gradient(const Place& place) const;
  Expected down_gradient(const Place& place) const;

  /// After an all-to-all over the expert group, of an operand, or of the results that
  /// `of_member` gives for each place.
  Expected exchanged(Operand operand, const Place& place, std::int64_t batch) const;
  template <class OfMember>
  Expected exchanged(const Place& place, OfMember&& of_member) const {
    const std::int64_t rows = shape_.rows() / layout_.expert;
    Expected all{shape_.hidden, {}};
    for (std::int64_t member = 0; member < layout_.expert; ++member) {
      Place from = place;
      from.expert = member;
      for (Rows& block : slice(of_member(from), place.expert * rows, rows).blocks) {
        all.blocks.push_back(std::move(block));
      }
    }
    return all;
  }

 private:
  std::int64_t columns(Operand operand) const;
  Expected over_tensor_group(const Place& place, Operand a, std::int64_t batch, Operand weights,
                             std::int64_t layer, bool backward) const;
  Expected weight_gradient(const Place& place, Operand a, Operand b, bool of_experts) const;

  Shape shape_;
  Layout layout_;
  std::int64_t micro_batches_;
  std::int64_t bound_;
  std::uint64_t seed_;
};

}  // namespace rackproof::steps
