#pragma once

#include <cstdint>

#include "benches/steps/arithmetic.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"

namespace rackproof::steps {

/// The sizes of one rank's part of a layer, in elements. A dense model has one expert, which all
/// tokens meet.
struct Shape {
  std::int64_t tokens = 0;  ///< of a micro-batch: rows of its activations
  std::int64_t sequence = 0;
  std::int64_t hidden = 0;
  std::int64_t qkv = 0;      ///< columns of queries, keys and values
  std::int64_t context = 0;  ///< columns of what attention gives: heads x head_size
  std::int64_t heads = 0;
  std::int64_t head_size = 0;
  std::int64_t gate_up = 0;      ///< columns of gate and up together
  std::int64_t activation = 0;   ///< rows of down
  std::int64_t experts = 1;      ///< held by this rank
  std::int64_t expert_rows = 0;  ///< tokens that each of them meets: the load is even
  std::int64_t layers = 0;       ///< of the stage
  std::int64_t first_layer = 0;

  /// Rows of all experts' activations.
  std::int64_t rows() const { return experts * expert_rows; }
};

/// Throws kit::UsageError where tokens cannot be divided evenly over experts, or over the ranks of
/// sequence parallelism.
Shape shape_of(const Card& card, const Layout& layout, const Batch& batch, const Place& place);

/// The longest sum of products that a step of the model makes: over a matrix, or over all tokens of
/// all replicas for a gradient.
std::int64_t longest_sum(const Card& card, const Layout& layout, const Batch& batch);

/// The largest operands for which every sum of a step is exact in a float. Throws kit::UsageError
/// where not even 1 is.
std::int64_t operand_bound(const Card& card, const Layout& layout, const Batch& batch);

}  // namespace rackproof::steps
