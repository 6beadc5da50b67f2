#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "benches/kit/product/matrix.hpp"

namespace rackproof::steps {

/// A part of a matrix of integers in [-bound, bound] that is known by its seed: rows of a stored
/// matrix of `stored_columns`, from `first_row` on, or, transposed, the stored columns from
/// `first_column` on as rows.
struct Drawn {
  std::uint64_t seed = 0;
  std::int64_t stored_columns = 0;
  std::int64_t bound = 1;
  bool transposed = false;
  std::int64_t first_row = 0;
  std::int64_t first_column = 0;

  std::int64_t at(std::int64_t i, std::int64_t j) const;
};

/// A product of two drawn matrices over `depth` terms; without `b`, `a` itself.
struct Term {
  Drawn a;
  std::optional<Drawn> b = {};
  std::int64_t depth = 0;
};

/// Some rows of a result, which are the sum of terms: those of all ranks, micro-batches and
/// replicas that were added up.
struct Rows {
  std::int64_t count = 0;
  std::vector<Term> terms;
};

/// What a tensor that went over the network must hold, exactly: known by any rank without the
/// others, since all operands are functions of seeds.
struct Expected {
  std::int64_t columns = 0;
  std::vector<Rows> blocks;

  std::int64_t rows() const;
  /// One element, in O(depth) for each term.
  std::int64_t at(std::int64_t i, std::int64_t j) const;
  /// sum over j of element (i, j) times weights[j], modulo 2^64, for each row: Freivalds' test
  /// without the product.
  std::vector<std::uint64_t> weighed(const std::vector<std::uint64_t>& weights) const;
};

/// Rows `first` to `first + count` of what is expected.
Expected slice(const Expected& expected, std::int64_t first, std::int64_t count);

/// Rows of `got` that are not `expected`: their sums weighed with random words differ, or they hold
/// something that is no integer. A wrong row is missed with a probability of at most 2^(t - 64), t
/// being the number of trailing zero bits that its errors share.
std::vector<std::int64_t> wrong_rows(const Expected& expected, const product::Matrix<float>& got,
                                     std::uint64_t seed);

}  // namespace rackproof::steps
