#include "benches/gemm/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "benches/kit/errors.hpp"

namespace rackproof::gemm {
namespace {

using product::Dtype;

void require_suits(const CudaCell& cell) {
  const product::Numbers& type = product::numbers(cell.dtype);
  const Shape& s = cell.shape;
  if (s.m % type.multiple == 0 && s.n % type.multiple == 0 && s.k % type.multiple == 0) return;
  throw kit::UsageError(fmt::format("--shape {}: {} needs m, n and k to be multiples of {}",
                                    text(s), type.name, type.multiple));
}

std::vector<Shape> shapes_of_sets(Dtype dtype, const std::vector<std::string>& sets) {
  std::vector<Shape> shapes;
  for (const std::string& set : sets) {
    const std::vector<Shape> more =
        set == "square" ? std::vector<Shape>{square_shape(dtype)} : transformer_shapes();
    for (const Shape& shape : more) {
      if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }
  }
  return shapes;
}

std::vector<Shape> shapes_by_name(const std::vector<std::string>& words) {
  std::vector<Shape> shapes;
  for (const std::string& word : words) {
    const Shape shape = parse_shape(word);
    if (std::find(shapes.begin(), shapes.end(), shape) != shapes.end()) {
      throw kit::UsageError(
          fmt::format("--shape {} is asked for twice: expected each shape once", text(shape)));
    }
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

const std::vector<Shape>& transformer_shapes() {
  static const std::vector<Shape> kShapes = {
      {8192, 10240, 8192}, {8192, 8192, 8192}, {8192, 57344, 8192}, {8192, 8192, 28672}};
  return kShapes;
}

Shape square_shape(Dtype dtype) {
  const std::int64_t size = dtype == Dtype::kFp64 ? 4096 : 8192;
  return {size, size, size};
}

std::vector<CudaCell> cuda_cells(const CudaSettings& settings) {
  std::vector<CudaCell> all;
  std::set<std::string> seen;
  for (const std::string& word : settings.dtypes) {
    if (!seen.insert(word).second) {
      throw kit::UsageError(fmt::format("--dtype {} is asked for twice", word));
    }
    const Dtype dtype = product::dtype_of(word);
    const std::vector<Shape> shapes = settings.shapes.empty() ? shapes_of_sets(dtype, settings.sets)
                                                              : shapes_by_name(settings.shapes);
    for (const Shape& shape : shapes) {
      all.push_back({dtype, shape});
      require_suits(all.back());
    }
  }
  if (all.empty()) {
    throw kit::UsageError("nothing to measure: expected at least one dtype and shape");
  }
  return all;
}

contract::Parameters cuda_parameters(const CudaCell& cell, const CudaSettings& settings) {
  contract::Parameters all = {{"dtype", std::string(product::numbers(cell.dtype).name)},
                              {"m", cell.shape.m},
                              {"n", cell.shape.n},
                              {"k", cell.shape.k}};
  if (settings.pattern != "normal") all["pattern"] = settings.pattern;
  if (cell.dtype == Dtype::kFp8 && settings.fp8_accumulate != "fast") {
    all["accumulate"] = settings.fp8_accumulate;
  }
  return all;
}

std::int64_t cuda_bytes_needed(const CudaCell& cell) {
  constexpr std::int64_t kWorkspace = std::int64_t{64} << 20;
  const Shape& s = cell.shape;
  const std::int64_t result = s.m * s.n * product::numbers(cell.dtype).result_bytes;
  return product::operand_bytes(cell.dtype, s.m, s.k) +
         product::operand_bytes(cell.dtype, s.n, s.k) + product::scale_bytes(cell.dtype, s.m, s.k) +
         product::scale_bytes(cell.dtype, s.n, s.k) + (kResultBuffers + 1) * result + kWorkspace;
}

std::int64_t calls_per_sample(double seconds_of_one) {
  constexpr double kSampleSeconds = 0.01;
  constexpr std::int64_t kMost = 1000;
  const double calls = std::ceil(kSampleSeconds / std::max(seconds_of_one, 1e-9));
  const std::int64_t whole = calls < kMost ? static_cast<std::int64_t>(calls) : kMost;
  return (whole + kResultBuffers - 1) / kResultBuffers * kResultBuffers;
}

std::vector<double> window_rates(const std::vector<double>& seconds, double operations,
                                 double window) {
  std::vector<double> rates;
  double lasted = 0;
  double done = 0;
  for (const double one : seconds) {
    lasted += one;
    done += operations;
    if (lasted < window) continue;
    rates.push_back(done / lasted);
    lasted = 0;
    done = 0;
  }
  if (rates.empty() && lasted > 0) rates.push_back(done / lasted);
  return rates;
}

void declare_cuda(kit::Options& options, CudaSettings& settings) {
  options.choices("dtype", settings.dtypes, product::dtype_names(),
                  "number types to multiply; what the device lacks is passed over with a note, and "
                  "is exit code 3 when nothing else was asked for");
  options.choices("shapes", settings.sets, {"square", "transformer"},
                  "sets of products: square (8192, fp64 4096), transformer (one layer of Llama 3.1 "
                  "70B, 8192 tokens)");
  options.list("shape", settings.shapes,
               "products to time in place of a set: MxNxK (C is M by N, the sums have K terms), or "
               "N for a square one");
  options.number("seconds", settings.seconds, 0, 86400,
                 "least time of the sustained calls of each cell");
  options.number("settle", settings.settle, 0, 86400,
                 "seconds of calls before those, so that clocks and power settle");
  options.number("burst", settings.burst, 0, 86400,
                 "seconds of calls that follow a pause as long (of 1 s at most), for gemm.burst");
  options.integer("min-samples", settings.min_samples, 1, 1'000'000,
                  "least number of sustained samples of each cell");
  options.integer("candidates", settings.candidates, 1, 256,
                  "algorithms of the library's heuristic to try; 1 takes its first");
  options.number("search-seconds", settings.search_seconds, 0, 3600,
                 "about how long to look for the fastest algorithm of each cell");
  options.choice("pattern", settings.pattern, product::pattern_names(),
                 "data of the timed products; all but normal take less power and are marked");
  options.choice("fp8-accumulate", settings.fp8_accumulate, {"fast", "full"},
                 "fp8_e4m3: sums in the matrix units alone, or added up in fp32 on the way");
  options.integer(
      "seed", settings.seed, 0, INT64_MAX,
      "what the operands are drawn from; 0: new ones in each run, and no digest to vote "
      "on");
}

}  // namespace rackproof::gemm
