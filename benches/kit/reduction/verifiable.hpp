#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/kit/reduction/kinds.hpp"

namespace rackproof::reduction {

/// Of the elements of an input, those at multiples of this index carry the stamp (see Seeds).
inline constexpr std::int64_t kStampStride = 256;

/// What an input is a function of, besides rank and index. `base` rules most elements, `stamp`
/// every kStampStride-th: a new stamp makes a new input, and a new result, for the price of a few
/// stores.
struct Seeds {
  std::uint64_t base = 0;
  std::uint64_t stamp = 0;
};

/// Mixes a seed with a number into a new seed.
std::uint64_t mix(std::uint64_t seed, std::uint64_t number);

/// The inputs of all ranks and the result of reducing them: pure functions of (seeds, rank, index),
/// so that every rank can say what any element must be, without asking another.
///
/// Inputs are crafted so that the reduction is exact whatever the order and the grouping, and never
/// overflows (what happens then is not said by MPI: Open MPI wraps some types and saturates
/// others):
/// - nothing to reduce (no redop): random bit patterns;
/// - sum: one random significand whose bits are shared out among the ranks, with one sign and, for
///   floating point, one scale for all: every partial sum is a subset of its bits;
/// - product: one rank has a random significand, the others +-1 and +-2 (and +-1/2 for floating
///   point), no more of them than the type has room for;
/// - min, max: one rank has a random value, all others one that is not beyond it;
/// - avg: integers, a sum that is a multiple of the number of ranks, shared out as above; floating
///   point, two ranks with the same power of two and zero elsewhere, so that it makes no difference
///   whether 1 / ranks is rounded and multiplied before the sum or the sum divided (see
///   has_exact_result for where that ends).
/// Where there are more ranks than bits, which of them contribute changes from element to element.
/// Computing an expected element costs the same for any number of ranks.
class Pattern {
 public:
  Pattern(Dtype dtype, std::optional<RedOp> redop, int ranks, Seeds seeds);

  /// Writes elements `first` to `first + count - 1` of the input of `rank`.
  void input(int rank, std::int64_t first, std::int64_t count, void* out) const;

  /// Writes only those of them that carry the stamp.
  void stamp(int rank, std::int64_t first, std::int64_t count, void* out) const;

  /// Writes the same elements of the reduction over all ranks. Only with a redop.
  void result(std::int64_t first, std::int64_t count, void* out) const;

  /// What came out of `source` (a rank, or -1 for the reduction of all): elements `first` and on.
  void expected(int source, std::int64_t first, std::int64_t count, void* out) const;

 private:
  void generate(std::uint64_t seed, int source, std::int64_t first, std::int64_t count,
                std::int64_t step, void* out) const;

  Dtype dtype_;
  std::optional<RedOp> redop_;
  int ranks_;
  Seeds seeds_;
};

/// The number of elements of `got` whose bits differ from `want`, and the first such index (-1 for
/// none).
struct Difference {
  std::int64_t wrong = 0;
  std::int64_t first = -1;
};
Difference compare(const void* got, const void* want, std::int64_t count, Dtype dtype);

/// The bits of element `index`, and a text for such bits: "0x3f800000 (1)".
std::uint64_t bits_at(const void* array, std::int64_t index, Dtype dtype);
std::string text_of(std::uint64_t bits, Dtype dtype);

}  // namespace rackproof::reduction
