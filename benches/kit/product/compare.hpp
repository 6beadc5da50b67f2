#pragma once

#include <cstdint>
#include <string>

#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/matrix.hpp"

namespace rackproof::product {

/// Compares every element of `got` with `sign` (1 or -1) times the one of `want`. Finite values
/// that compare equal have the same bits but for the sign of a zero, which is not looked at; a NaN
/// is always wrong. `where` goes before the row and column of the first wrong element.
Fault compare(const Matrix<double>& want, const Matrix<double>& got, int sign,
              const std::string& where);
Fault compare(const Matrix<float>& want, const Matrix<float>& got, int sign,
              const std::string& where);

}  // namespace rackproof::product
