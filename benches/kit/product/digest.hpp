#pragma once

#include <cstdint>
#include <vector>

#include "benches/kit/product/matrix.hpp"

namespace rackproof::product {

/// One digest per row over the bits of `sign` (1 or -1) times its elements, -0 taken as 0
/// (Fletcher's two sums, mod 2^64, in eight lanes of 64-bit words). A change within a single word
/// of a row always changes its digest; the second sum, weighted by position, sees words that change
/// places or make up for each other. Reads the matrix once.
std::vector<std::uint64_t> row_digests(const Matrix<double>& matrix, int sign);
std::vector<std::uint64_t> row_digests(const Matrix<float>& matrix, int sign);

}  // namespace rackproof::product
