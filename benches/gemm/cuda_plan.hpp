#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/gemm/gemm.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/product/numbers.hpp"
#include "benches/kit/product/pattern.hpp"
#include "benches/protocol/record.hpp"

/// What gemm-cuda decides without a device.
namespace rackproof::gemm {

struct CudaSettings {
  std::string device;
  std::vector<std::string> dtypes = product::dtype_names();
  /// Sets of shapes; the list in `shapes` takes their place when it is not empty.
  std::vector<std::string> sets{"square"};
  std::vector<std::string> shapes;
  std::string pattern = "normal";
  std::string fp8_accumulate = "fast";
  double seconds = 5;             ///< least time of the sustained calls of a cell
  double settle = 3;              ///< seconds of calls before them that count for nothing
  double burst = 1;               ///< seconds of calls before those, after a pause
  std::int64_t min_samples = 10;  ///< least number of sustained samples of a cell
  std::int64_t candidates = 32;   ///< algorithms to try
  double search_seconds = 5;      ///< of looking for the fastest, for each cell
  std::int64_t seed = 0;          ///< 0: a new one
};

/// One expected result.
struct CudaCell {
  product::Dtype dtype = product::Dtype::kFp64;
  Shape shape;
};

/// Products of one layer of a transformer, forward, for 8192 tokens: Llama 3.1 70B (Dubey et al.,
/// "The Llama 3 Herd of Models", 2024, table 3: model dimension 8192, feed-forward dimension 28672,
/// 64 heads of 128, 8 key and value heads). Query, key and value as one product; the attention's
/// output; gate and up as one; down.
const std::vector<Shape>& transformer_shapes();

/// The square of the set "square": 8192, and 4096 for fp64, which is slow on many devices.
Shape square_shape(product::Dtype dtype);

/// Every cell that the settings ask for, in the order measured: all shapes of a dtype, then the
/// next dtype. A shape that two sets share comes once. Throws UsageError for a shape that is asked
/// for twice by name, cannot be read, or does not suit its type.
std::vector<CudaCell> cuda_cells(const CudaSettings& settings);

/// {"dtype", "m", "n", "k"} as gemm-host has them; and, so that nothing is compared that should not
/// be, "pattern" where it is not normal and "accumulate" where it is not the default.
contract::Parameters cuda_parameters(const CudaCell& cell, const CudaSettings& settings);

/// How many results are computed into by turns.
inline constexpr std::int64_t kResultBuffers = 2;

/// Bytes of the device that a cell takes: operands, scales, results and a reference, a workspace.
std::int64_t cuda_bytes_needed(const CudaCell& cell);

/// How many calls make one sample, so that it lasts 10 ms or more: a multiple of kResultBuffers, at
/// most 1000.
std::int64_t calls_per_sample(double seconds_of_one);

/// Rates over windows: samples, each `operations` in seconds[i], put together until they last
/// `window`; a last window that is not full is left out unless it is the only one.
std::vector<double> window_rates(const std::vector<double>& seconds, double operations,
                                 double window);

void declare_cuda(kit::Options& options, CudaSettings& settings);

}  // namespace rackproof::gemm
