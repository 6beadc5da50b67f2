#pragma once

#include <cstdint>

#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/product/exact_operands.hpp"
#include "benches/kit/product/random_values.hpp"

namespace rackproof::product {

/// Which operand of C = A B.
enum class Side { kA, kB };

/// Memory of the device for one operand: `rows` rows (of A, or columns of B), each of k elements
/// that lie side by side, packed; and its scales, where the type has them (see operand_bytes,
/// scale_bytes).
struct OperandMemory {
  Dtype dtype;
  std::int64_t rows;
  std::int64_t k;
  void* data;
  void* scales;
};

/// Queues filling it with exact_a or exact_b of the plan.
void fill_exact(const OperandMemory& operand, const ExactPlan& plan, Side side, std::uint64_t seed,
                const kit::cuda::Stream& stream);

/// Queues filling it with a pattern. Scales of blocks follow from the largest element of each.
void fill_pattern(const OperandMemory& operand, Pattern pattern, std::uint64_t seed,
                  const kit::cuda::Stream& stream);

}  // namespace rackproof::product
