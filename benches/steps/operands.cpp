#include "benches/steps/operands.hpp"

#include <array>

#include "benches/kit/product/mix.hpp"

namespace rackproof::steps {
namespace {

// Operands that are cut over the tensor group; the others are the same on all of its ranks.
bool is_cut(Operand operand) {
  switch (operand) {
    case Operand::kInput:
    case Operand::kToExperts:
    case Operand::kOutputGradient:
    case Operand::kToExpertsGradient:
      return false;
    default:
      return true;
  }
}

bool are_weights(Operand operand) { return operand >= Operand::kQkvWeights; }

bool of_experts(Operand operand) {
  switch (operand) {
    case Operand::kToExperts:
    case Operand::kActivation:
    case Operand::kToExpertsGradient:
    case Operand::kGateUpGradient:
    case Operand::kGateUpWeights:
    case Operand::kDownWeights:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::int64_t Operands::columns(Operand operand) const {
  switch (operand) {
    case Operand::kContext:
      return shape_.context;
    case Operand::kActivation:
      return shape_.activation;
    case Operand::kGateUpGradient:
    case Operand::kGateUpWeights:
      return shape_.gate_up;
    case Operand::kQkvGradient:
    case Operand::kQkvWeights:
      return shape_.qkv;
    default:
      return shape_.hidden;
  }
}

std::int64_t Operands::elements(Operand operand) const {
  switch (operand) {
    case Operand::kQkvWeights:
      return shape_.hidden * shape_.qkv;
    case Operand::kOutputWeights:
      return shape_.context * shape_.hidden;
    case Operand::kGateUpWeights:
      return shape_.experts * shape_.hidden * shape_.gate_up;
    case Operand::kDownWeights:
      return shape_.experts * shape_.activation * shape_.hidden;
    default:
      return (of_experts(operand) ? shape_.rows() : shape_.tokens) * columns(operand);
  }
}

Drawn Operands::drawn(Operand operand, const At& at, std::int64_t first_row) const {
  // Dense weights are the same in all replicas, those of experts in those of one place in the
  // group.
  const bool weights = are_weights(operand);
  const Place& place = at.place;
  const std::array<std::int64_t, 6> parts{
      static_cast<std::int64_t>(operand), at.index, is_cut(operand) ? place.tensor : 0,
      weights && !of_experts(operand) ? 0 : place.expert, weights ? 0 : place.data,
      // Data come in at the first stage; a stage draws its own all the same, as no layer is fed by
      // the one before it.
      place.stage};
  std::uint64_t seed = seed_;
  for (const std::int64_t part : parts) seed = product::mix(seed, static_cast<std::uint64_t>(part));
  return {seed, columns(operand), bound_, false, first_row};
}

// The sum over the tensor group of a times its share of the weights: forward as they are, backward
// transposed.
Expected Operands::over_tensor_group(const Place& place, Operand a, std::int64_t batch,
                                     Operand weights, std::int64_t layer, bool backward) const {
  const bool experts = of_experts(a);
  const std::int64_t depth = columns(a);
  const std::int64_t rows = experts ? shape_.expert_rows : shape_.tokens;
  const std::int64_t weight_rows = backward ? shape_.hidden : depth;
  Expected expected{shape_.hidden, {}};
  for (std::int64_t expert = 0; expert < (experts ? shape_.experts : 1); ++expert) {
    Rows block{rows, {}};
    for (std::int64_t member = 0; member < layout_.tensor; ++member) {
      Place at = place;
      at.tensor = member;
      Drawn b = drawn(weights, {at, layer}, expert * weight_rows);
      b.transposed = backward;
      block.terms.push_back({drawn(a, {at, batch}, expert * rows), b, depth});
    }
    expected.blocks.push_back(std::move(block));
  }
  return expected;
}

Expected Operands::attention_output(const Place& place, std::int64_t layer,
                                    std::int64_t batch) const {
  return over_tensor_group(place, Operand::kContext, batch, Operand::kOutputWeights, layer, false);
}

Expected Operands::expert_output(const Place& place, std::int64_t layer, std::int64_t batch) const {
  return over_tensor_group(place, Operand::kActivation, batch, Operand::kDownWeights, layer, false);
}

Expected Operands::attention_input_gradient(const Place& place, std::int64_t layer,
                                            std::int64_t batch) const {
  return over_tensor_group(place, Operand::kQkvGradient, batch, Operand::kQkvWeights, layer, true);
}

Expected Operands::expert_input_gradient(const Place& place, std::int64_t layer,
                                         std::int64_t batch) const {
  return over_tensor_group(place, Operand::kGateUpGradient, batch, Operand::kGateUpWeights, layer,
                           true);
}

// a transposed times b, summed over all micro-batches of all replicas.
Expected Operands::weight_gradient(const Place& place, Operand a, Operand b, bool experts) const {
  const std::int64_t depth = experts ? shape_.expert_rows : shape_.tokens;
  Expected expected{columns(b), {}};
  for (std::int64_t expert = 0; expert < (experts ? shape_.experts : 1); ++expert) {
    Rows block{columns(a), {}};
    for (std::int64_t replica = 0; replica < layout_.data * layout_.expert; ++replica) {
      Place at = place;
      at.data = replica / layout_.expert;
      at.expert = replica % layout_.expert;
      if (experts && at.expert != place.expert) continue;
      for (std::int64_t batch = 0; batch < micro_batches_; ++batch) {
        Drawn turned = drawn(a, {at, batch}, expert * depth);
        turned.transposed = true;
        block.terms.push_back({turned, drawn(b, {at, batch}, expert * depth), depth});
      }
    }
    expected.blocks.push_back(std::move(block));
  }
  return expected;
}

Expected Operands::weights(Operand operand, const Place& place, std::int64_t layer) const {
  const std::int64_t rows = elements(operand) / columns(operand);
  return {columns(operand), {{rows, {{drawn(operand, {place, layer})}}}}};
}

Expected Operands::qkv_gradient(const Place& place) const {
  return weight_gradient(place, Operand::kInput, Operand::kQkvGradient, false);
}

Expected Operands::output_gradient(const Place& place) const {
  return weight_gradient(place, Operand::kContext, Operand::kOutputGradient, false);
}

Expected Operands::gate_up_gradient(const Place& place) const {
  return weight_gradient(place, Operand::kToExperts, Operand::kGateUpGradient, true);
}

Expected Operands::down_gradient(const Place& place) const {
  return weight_gradient(place, Operand::kActivation, Operand::kToExpertsGradient, true);
}

Expected Operands::exchanged(Operand operand, const Place& place, std::int64_t batch) const {
  return exchanged(place, [&](const Place& from) {
    return Expected{columns(operand), {{shape_.rows(), {{drawn(operand, {from, batch})}}}}};
  });
}

}  // namespace rackproof::steps
