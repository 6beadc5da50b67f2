#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::gemm {

/// C (m x n) = A (m x k) * B (k x n).
struct Shape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;

  bool operator==(const Shape&) const = default;
};

/// The largest m, n or k that is taken.
inline constexpr std::int64_t kMostRows = std::int64_t{1} << 20;

/// Reads "MxNxK", or "N" for a square product. Throws UsageError.
Shape parse_shape(std::string_view text);

/// "MxNxK".
std::string text(const Shape& shape);

/// Operations of the textbook product: 2 m n k.
double operations(const Shape& shape);

struct Settings {
  std::vector<std::string> dtypes{"fp64", "fp32"};
  /// One square, and three of a quarter of its work: tall, wide, deep.
  std::vector<std::string> shapes{"4096x4096x4096", "16384x1024x1024", "1024x16384x1024",
                                  "1024x1024x16384"};
  double seconds = 3;                    ///< least time of the timed calls of a cell
  std::int64_t min_samples = 10;         ///< least number of timed calls of a cell
  std::int64_t threads = 0;              ///< 0: one per allowed physical core
  std::int64_t seed = 0;                 ///< 0: a new one
  contract::Parameters conditions = {};  ///< what holds for every number
};

/// One expected result.
struct Cell {
  std::string dtype;
  Shape shape;
};

/// Every cell that the settings ask for, in the order measured. Throws UsageError.
std::vector<Cell> cells(const Settings& settings);

/// {"dtype", "m", "n", "k"}: what tells the metric of one cell from that of another.
contract::Parameters parameters(const Cell& cell);

/// Bytes that measuring the cell takes: A, B, C, and a second C to say where two results differ.
std::int64_t bytes_needed(const Cell& cell);

void declare(kit::Options& options, Settings& settings);

/// Measures and proves each cell: one check "gemm.DTYPE.MxNxK" and then one metric gemm.rate in
/// FLOP/s (each sample is the rate of one call) per cell. Throws UsageError before anything is
/// measured when a cell does not fit in the memory available.
void measure(const Settings& settings, kit::Session& session);

}  // namespace rackproof::gemm
