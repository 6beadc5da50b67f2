#include "benches/gemm/gemm.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "benches/kit/errors.hpp"

namespace rackproof::gemm {
namespace {

std::optional<std::int64_t> dimension(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kMostRows) return std::nullopt;
  return value;
}

}  // namespace

Shape parse_shape(std::string_view text) {
  std::vector<std::int64_t> sizes;
  std::string_view rest = text;
  while (true) {
    const std::size_t cross = rest.find('x');
    const auto size = dimension(rest.substr(0, cross));
    if (!size) break;
    sizes.push_back(*size);
    if (cross == std::string_view::npos) {
      if (sizes.size() == 1) return {sizes[0], sizes[0], sizes[0]};
      if (sizes.size() == 3) return {sizes[0], sizes[1], sizes[2]};
      break;
    }
    rest.remove_prefix(cross + 1);
  }
  throw kit::UsageError(fmt::format("--shape {}: expected MxNxK or N, each from 1 to {}",
                                    text.substr(0, 80), kMostRows));
}

std::string text(const Shape& shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

double operations(const Shape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
         static_cast<double>(shape.k);
}

std::vector<Cell> cells(const Settings& settings) {
  std::vector<Cell> all;
  std::set<std::string> seen;
  for (const std::string& dtype : settings.dtypes) {
    for (const std::string& word : settings.shapes) {
      const Cell cell{dtype, parse_shape(word)};
      const std::string name = dtype + " " + text(cell.shape);
      if (!seen.insert(name).second) {
        throw kit::UsageError(
            fmt::format("{} is asked for twice: expected each shape and dtype once", name));
      }
      all.push_back(cell);
    }
  }
  if (all.empty())
    throw kit::UsageError("nothing to measure: expected at least one dtype and shape");
  return all;
}

contract::Parameters parameters(const Cell& cell) {
  return {{"dtype", cell.dtype}, {"m", cell.shape.m}, {"n", cell.shape.n}, {"k", cell.shape.k}};
}

std::int64_t bytes_needed(const Cell& cell) {
  const Shape& s = cell.shape;
  const std::int64_t width = cell.dtype == "fp64" ? 8 : 4;
  return width * (s.m * s.k + s.k * s.n + 2 * s.m * s.n);
}

void declare(kit::Options& options, Settings& settings) {
  options.choices("dtype", settings.dtypes, {"fp64", "fp32"}, "number types to multiply");
  options.list(
      "shape", settings.shapes,
      "products to time: MxNxK (C is M by N, the sums have K terms), or N for a square one");
  options.number("seconds", settings.seconds, 0, 86400,
                 "least time of the timed calls of each cell");
  options.integer("min-samples", settings.min_samples, 1, 1'000'000,
                  "least number of timed calls of each cell");
  options.integer("threads", settings.threads, 0, 65536,
                  "threads of the BLAS library; 0: one per physical core allowed");
  options.integer("seed", settings.seed, 0, INT64_MAX,
                  "what the operands are drawn from; 0: new ones in each run");
}

}  // namespace rackproof::gemm
