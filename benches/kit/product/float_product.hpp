#pragma once

#include <cstdint>
#include <string>

#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/matrix.hpp"

namespace rackproof::product {

/// Freivalds' test for rounded arithmetic: with random signs x, C * x is compared with A * (B * x),
/// both summed in double. Row i may differ by no more than rounding can explain, whatever the order
/// of summation:
///
///   ((g(k, uT) + g(n + k, u)) * (|A| |B| |x|)_i + g(n, u) * (|C| |x|)_i) / (1 - g(n + k, u))
///
/// where g(n, u) = n u / (1 - n u), uT is the unit roundoff of T (2^-24, 2^-53), u that of double,
/// and the divisor covers the rounding of the two sums of magnitudes (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., sections 3.1 and 3.5). A right product never exceeds
/// it. An error in one element of a row always shows when it is larger than twice the limit; errors
/// in several may cancel for half of the sign vectors. NaN and infinity are wrong. `wrong` counts
/// elements when the wrong ones of the first wrong row could be told (each compared with its own
/// bound 2 g(k, uT) (|A| |B|)_ij), else rows. Reads each matrix once.
Fault check_float(const Product<double>& product, std::uint64_t seed, const std::string& where);
Fault check_float(const Product<float>& product, std::uint64_t seed, const std::string& where);

}  // namespace rackproof::product
