#pragma once

#include <cstdint>

namespace rackproof::product {

/// The largest b such that a sum of `depth` products of two integers in [-b, b] is exact in a type
/// of `mantissa_bits` (24 for float, 53 for double) whatever the order of summation, with or
/// without fused multiply-add: depth * b * b <= 2^mantissa_bits. 0 when there is none.
std::int64_t exact_bound(std::int64_t depth, int mantissa_bits);

}  // namespace rackproof::product
