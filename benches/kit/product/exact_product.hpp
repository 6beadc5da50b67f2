#pragma once

#include <cstdint>
#include <string>

#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/matrix.hpp"

namespace rackproof::product {

/// Proves that C is the exact product of two matrices of integers, without computing it and without
/// a BLAS: with two weight vectors on each side (all ones: the checksums of rows and columns; and
/// random 64-bit words: Freivalds' test), A * (B * w) must equal C * w, and (v * A) * B must equal
/// v * C, in integer arithmetic modulo 2^64. O(mk + kn + mn).
///
/// A wrong element always breaks the plain checksum of its row and column unless others in the row
/// and column make up for it; the random weights miss a wrong row with probability at most 2^(t -
/// 64), t the number of trailing zero bits that all errors of the row share (t <= 54 for doubles).
/// Elements where a suspect row meets a suspect column are then computed exactly, so the place, the
/// number and the value wanted are those of the wrong elements themselves. NaN, infinity, fractions
/// and magnitudes above 2^53 are wrong. The sign of a zero is not looked at.
///
/// A and B must hold integers such that the product is exact in T (see exact_bound). `where` goes
/// before the row and column of the first wrong element.
Fault check_exact(const Product<double>& product, std::uint64_t seed, const std::string& where);
Fault check_exact(const Product<float>& product, std::uint64_t seed, const std::string& where);

}  // namespace rackproof::product
