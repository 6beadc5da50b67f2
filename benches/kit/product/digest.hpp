#pragma once

#include <cstdint>
#include <vector>

#include "benches/kit/product/matrix.hpp"

namespace rackproof::product {

/// One digest per row over the bits of its elements (Fletcher's two sums, mod 2^64, in eight lanes).
/// A change within a single 64-bit word of a row always changes its digest; the second sum, weighted by
/// position, sees words that change places or make up for each other. Reads the matrix once.
std::vector<std::uint64_t> row_digests(const Matrix<double>& matrix);
std::vector<std::uint64_t> row_digests(const Matrix<float>& matrix);

}  // namespace rackproof::product
