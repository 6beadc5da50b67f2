#pragma once

#include <cstdint>
#include <functional>

#include "benches/kit/reduction/kinds.hpp"

namespace rackproof::reduction {

/// What a library does with two elements, in the element's own type: every result rounded to it (to
/// nearest, ties to even), integers wrapping. Written for the tests alone, over doubles and
/// integers of 128 bits. `kAvg` combines as a sum; `scaled_before` and `divided_after` are the rest
/// of it.
std::uint64_t combined(std::uint64_t a, std::uint64_t b, Dtype dtype, RedOp redop);

/// An element times 1 / ranks, both rounded to the type; integers stay as they are.
std::uint64_t scaled_before(std::uint64_t element, Dtype dtype, int ranks);

/// A sum of integers divided by ranks, toward zero; floating ones stay as they are.
std::uint64_t divided_after(std::uint64_t sum, Dtype dtype, int ranks);

/// A sum of any type divided by ranks, rounded to the type.
std::uint64_t divided(std::uint64_t sum, Dtype dtype, int ranks);

__extension__ using Int128 = __int128;

/// A number without rounding: significand x 2^exponent.
struct Exact {
  Int128 significand = 0;
  int exponent = 0;
};

/// The number that the bits stand for; it must be finite.
Exact exact_of(std::uint64_t bits, Dtype dtype);

/// -1, 0 or 1.
int compare_exact(const Exact& a, const Exact& b);
Exact add_exact(const Exact& a, const Exact& b);
Exact multiply_exact(const Exact& a, const Exact& b);

bool is_floating(Dtype dtype);

}  // namespace rackproof::reduction
