#pragma once

#include <cstdint>

#include "benches/kit/host_device.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/numbers.hpp"

/// Integer operands whose product is exact in every type of matrix unit, each element a function of
/// (seed, row, position along k): who checks the product makes them again and need not trust the
/// memory that they were stored in.
namespace rackproof::product {

/// How the operands of one depth and type are drawn.
///
/// Independent: every element is uniform in [-bound, bound], and k * bound^2 fits both the
/// accumulator and C. Where C holds fewer bits than the accumulator (bf16, fp16), they come in
/// pairs: position l and l + k/2 have the same element in A, and elements in B that cancel each
/// other, so that the terms are large and many and the whole sum is small. In each `group` pairs
/// there is one that leaves +-1, which makes the sum. The partners lie half of k apart, so that a
/// part of the sum that was left out shows. When k is deeper than the accumulator can hold even of
/// ones, only one in `stride` pairs is not zero.
///
/// Where independent elements are much smaller than the type can hold, which narrower units could
/// multiply too, there are a few that they cannot, at multiples of `fifth` along k: an odd integer
/// of `wide_bits` bits in each operand, against +-1 in the other; and with `huge_bits`, in fp64,
/// +-2^huge_bits against 0, beside which a fixed point that is shared by a row or column has no
/// bits left for the rest.
struct ExactPlan {
  std::int64_t k = 0;
  std::int64_t bound = 0;  ///< largest magnitude of an element
  std::int64_t half = 0;   ///< 0: independent elements; else k/2, and an odd last element of B is 0
  std::int64_t group = 1;  ///< pairs of which one leaves +-1
  std::int64_t stride = 1;  ///< of so many pairs one is not zero
  std::int64_t fifth = 0;   ///< 0: no wide elements
  int wide_bits = 0;
  int huge_bits = 0;  ///< 0: no huge elements
};

/// The plan for a type and depth: whatever is summed in whatever order stays within
/// 2^accumulator_bits of the type, and C within 2^result_bits. k is 1 to 2^24.
ExactPlan plan_exact(Dtype dtype, std::int64_t k);

/// The largest magnitude that any sum of products of one element of C can reach, in any order.
std::int64_t largest_sum(const ExactPlan& plan);
/// The largest magnitude of an element of C.
std::int64_t largest_result(const ExactPlan& plan);

/// Uniform in [-bound, bound]; bound below 2^31.
RACKPROOF_HD inline std::int64_t draw(std::uint64_t word, std::int64_t bound) {
  const auto choices = static_cast<std::uint64_t>(2 * bound + 1);
  return static_cast<std::int64_t>((word >> 32U) * choices >> 32U) - bound;
}

/// Which element of a pair that narrower units get wrong is at position l: of A and of B.
enum class Width { kPlain, kOne, kWide, kZero, kHuge };
struct Widths {
  Width a = Width::kPlain;
  Width b = Width::kPlain;
};
RACKPROOF_HD inline Widths widths_at(const ExactPlan& plan, std::int64_t l) {
  if (plan.fifth == 0) return {};
  if (l == plan.fifth) return {Width::kWide, Width::kOne};
  if (l == 2 * plan.fifth) return {Width::kOne, Width::kWide};
  if (plan.huge_bits == 0) return {};
  if (l == 3 * plan.fifth) return {Width::kHuge, Width::kZero};
  if (l == 4 * plan.fifth) return {Width::kZero, Width::kHuge};
  return {};
}

/// An element that is not plain, of a random word.
RACKPROOF_HD inline std::int64_t special(const ExactPlan& plan, std::uint64_t word, Width width) {
  if (width == Width::kZero) return 0;
  const bool negative = (word >> 63U) != 0;
  std::int64_t value = 1;
  if (width == Width::kWide) {
    const std::uint64_t top = std::uint64_t{1} << static_cast<unsigned>(plan.wide_bits - 1);
    value = static_cast<std::int64_t>(top | (word & (top - 1)) | 1U);
  } else if (width == Width::kHuge) {
    value = std::int64_t{1} << static_cast<unsigned>(plan.huge_bits);
  }
  return negative ? -value : value;
}

/// Element (row, l) of A.
RACKPROOF_HD inline std::int64_t exact_a(const ExactPlan& plan, std::uint64_t seed,
                                         std::int64_t row, std::int64_t l) {
  const std::int64_t p = plan.half > 0 && l >= plan.half ? l - plan.half : l;
  const std::uint64_t word = mix(seed, static_cast<std::uint64_t>(row * plan.k + p));
  const Width width = widths_at(plan, l).a;
  return width == Width::kPlain ? draw(word, plan.bound) : special(plan, word, width);
}

/// Element l of column `column` of B. Its seed must be another than A's.
RACKPROOF_HD inline std::int64_t exact_b(const ExactPlan& plan, std::uint64_t seed,
                                         std::int64_t column, std::int64_t l) {
  if (plan.half == 0) {
    const std::uint64_t word = mix(seed, static_cast<std::uint64_t>(column * plan.k + l));
    const Width width = widths_at(plan, l).b;
    return width == Width::kPlain ? draw(word, plan.bound) : special(plan, word, width);
  }
  if (l >= 2 * plan.half) return 0;
  const bool second = l >= plan.half;
  // 32 bits are enough, and divide ten times as fast on a GPU.
  const auto p = static_cast<std::uint32_t>(second ? l - plan.half : l);
  const auto group = static_cast<std::uint32_t>(plan.group);
  const auto stride = static_cast<std::uint32_t>(plan.stride);
  const auto at = static_cast<std::uint64_t>(column * plan.k);
  // Of each group its own word says which pair leaves something, and its sign.
  const std::uint64_t choice = mix(~seed, at + p / group);
  const bool leaves = p % group == static_cast<std::uint32_t>(choice >> 32U) % group;
  const bool drawn =
      stride == 1 ||
      p % stride == static_cast<std::uint32_t>(mix(~seed + 1, at + p / stride) >> 32U) % stride;
  const std::int64_t rest = leaves ? ((choice & 1U) != 0 ? 1 : -1) : 0;
  // The first of a pair that leaves something is one smaller, so that its partner is no larger.
  const std::int64_t first = drawn ? draw(mix(seed, at + p), plan.bound - (leaves ? 1 : 0)) : 0;
  return second ? rest - first : first;
}

/// Scales of blocks in the exact product: block `block` of row `row` is stored times 2^shift and
/// has the scale 2^-shift, shift from 0 to 2. A scale that lands on another block is seen in every
/// element.
inline constexpr int kMostShift = 2;
RACKPROOF_HD inline int exact_shift(std::uint64_t seed, std::int64_t row, std::int64_t block) {
  const std::uint64_t word = mix(seed ^ 0x5CA1E5U, static_cast<std::uint64_t>(row << 24U | block));
  return static_cast<int>((word >> 32U) % (kMostShift + 1));
}

/// Element (row, column) of the product, computed here.
std::int64_t exact_element(const ExactPlan& plan, std::uint64_t seed_a, std::uint64_t seed_b,
                           std::int64_t row, std::int64_t column);

}  // namespace rackproof::product
