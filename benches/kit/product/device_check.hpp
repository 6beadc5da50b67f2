#pragma once

#include <cstdint>

#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/product/device_fill.hpp"

/// The parts of the proof of an exact product that run on the device, in 64-bit integers on the
/// ordinary cores: not by the matrix units that are under test. Pairs of weights or sums are two
/// series, one behind the other (see WordPair). Everything is queued; memory is the device's.
namespace rackproof::product {

/// An operand of the exact product, made again from its seed: nothing of its memory is read.
struct ExactOperand {
  ExactPlan plan;
  Side side;
  std::uint64_t seed;
  std::int64_t rows;  ///< of A, or columns of B
};

/// C of the product: m rows of n elements.
struct ExactResult {
  Result type;
  const void* data;
  std::int64_t m;
  std::int64_t n;
};

/// `pair`: all ones, then mix(seed, i).
void weights_async(std::uint64_t* pair, std::int64_t count, std::uint64_t seed,
                   const kit::cuda::Stream& stream);

/// sums[w][i] = sum over l of operand(i, l) * x[w][l]: one sum for each row.
void row_sums_async(const ExactOperand& operand, const std::uint64_t* x, std::uint64_t* sums,
                    const kit::cuda::Stream& stream);
/// sums[w][l] = sum over i of y[w][i] * operand(i, l): one sum for each position along k.
void column_sums_async(const ExactOperand& operand, const std::uint64_t* y, std::uint64_t* sums,
                       const kit::cuda::Stream& stream);
/// The same of C, by row and by column; broken[i] becomes 1 where row i holds what is no integer,
/// else 0.
void row_sums_async(const ExactResult& result, const std::uint64_t* x, std::uint64_t* sums,
                    std::uint8_t* broken, const kit::cuda::Stream& stream);
void column_sums_async(const ExactResult& result, const std::uint64_t* y, std::uint64_t* sums,
                       const kit::cuda::Stream& stream);

/// Suspect elements: every crossing of `rows` and `columns`, lists on the device.
struct Crossings {
  const std::int64_t* rows;
  std::int64_t row_count;
  const std::int64_t* columns;
  std::int64_t column_count;
};
/// What a search found; `first` is row * n + column of the first wrong element, all ones for none.
struct Found {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ULL;
};

/// Computes each crossing of A and B again, in integers, and adds what C has else to `found`.
void search_async(const ExactOperand& a, const ExactOperand& b, const ExactResult& result,
                  const Crossings& crossings, Found* found, const kit::cuda::Stream& stream);

}  // namespace rackproof::product
