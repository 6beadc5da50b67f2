#include "benches/kit/product/exact_operands.hpp"

#include <algorithm>
#include <bit>

#include "benches/kit/product/exact_bound.hpp"

namespace rackproof::product {
namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The least depth with a place for each of the four that are not plain.
constexpr std::int64_t kLeastWithWide = 8;
// Within an int64, and far beyond the 53 bits of a double beside 1.
constexpr int kHugeBits = 62;

int bits_of(std::int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

// Two elements of two bits less than the sum can have take up half of what it can hold.
void add_wide(const Numbers& type, int sum_bits, ExactPlan& plan) {
  const std::int64_t rest = std::min(exact_bound(plan.k, sum_bits - 1), type.largest);
  const int widest = std::min(sum_bits - 2, bits_of(type.largest) - 1);
  if (plan.k < kLeastWithWide || rest < 1 || bits_of(plan.bound) >= widest) return;
  plan.bound = rest;
  plan.fifth = plan.k / 5;
  plan.wide_bits = widest;
  if (type.dtype == Dtype::kFp64) plan.huge_bits = kHugeBits;
}

std::int64_t groups(const ExactPlan& plan) { return divided_up(plan.half, plan.group); }

}  // namespace

ExactPlan plan_exact(Dtype dtype, std::int64_t k) {
  const Numbers& type = numbers(dtype);
  ExactPlan plan;
  plan.k = k;
  if (type.result_bits >= type.accumulator_bits || k < 2) {
    const int bits = std::min(type.accumulator_bits, type.result_bits);
    plan.bound = std::min(exact_bound(k, bits), type.largest);
    // All 8 bits of an int8 are in use, and no narrower unit holds them.
    if (type.result != Result::kInt32) add_wide(type, bits, plan);
    return plan;
  }
  plan.half = k / 2;
  // A smaller bound than the accumulator allows, so that more pairs leave something.
  const std::int64_t most = std::int64_t{1} << (type.result_bits / 2);
  plan.bound = std::clamp<std::int64_t>(exact_bound(k, type.accumulator_bits), 1,
                                        std::min(type.largest, most));
  const std::int64_t result = std::int64_t{1} << type.result_bits;
  plan.group = divided_up(plan.half, std::min(plan.half, result / plan.bound));
  const std::int64_t terms = (std::int64_t{1} << type.accumulator_bits) / (plan.bound * plan.bound);
  if (k > terms) plan.stride = divided_up(plan.half, terms / 2 - groups(plan) - 1);
  return plan;
}

std::int64_t largest_sum(const ExactPlan& plan) {
  const std::int64_t square = plan.bound * plan.bound;
  if (plan.fifth > 0) return plan.k * square + (std::int64_t{2} << plan.wide_bits);
  if (plan.half == 0 || plan.stride == 1) return plan.k * square;
  return 2 * (divided_up(plan.half, plan.stride) + groups(plan)) * square;
}

std::int64_t largest_result(const ExactPlan& plan) {
  return plan.half == 0 ? largest_sum(plan) : groups(plan) * plan.bound;
}

std::int64_t exact_element(const ExactPlan& plan, std::uint64_t seed_a, std::uint64_t seed_b,
                           std::int64_t row, std::int64_t column) {
  std::uint64_t sum = 0;  // modulo 2^64, as the checksums
  for (std::int64_t l = 0; l < plan.k; ++l) {
    sum += static_cast<std::uint64_t>(exact_a(plan, seed_a, row, l) *
                                      exact_b(plan, seed_b, column, l));
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace rackproof::product
