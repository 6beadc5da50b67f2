#include "benches/kit/product/numbers.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "benches/kit/product/block_scales.hpp"

namespace rackproof::product {
namespace {

// Accumulators: a tensor core aligns what it adds (the products of a step, and the sum so far) to
// the largest exponent among them and cuts off what is below its width. Integers below 2^width lose
// nothing by that. For 16-bit types and tf32 the width is that of a float, 24 bits, at least. For
// fp8 on Hopper about 14 bits were found (DeepSeek-V3 technical report, section 3.3.2); 13 leaves
// one to spare, and is taken for the block-scaled types too, of whose adders nothing is published.
// int8 adds in int32, where 2^31 itself would not fit.
constexpr std::array<Numbers, kAllDtypes.size()> kTable = {{
    {Dtype::kFp64, "fp64", 64, 8, Result::kFp64, 0, std::int64_t{1} << 53, 53, 53, 0, 1, "FLOP/s"},
    {Dtype::kFp32, "fp32", 32, 4, Result::kFp32, 0, std::int64_t{1} << 24, 24, 24, 0, 1, "FLOP/s"},
    {Dtype::kTf32, "tf32", 32, 4, Result::kFp32, 0, std::int64_t{1} << 11, 24, 24, 80, 4, "FLOP/s"},
    {Dtype::kBf16, "bf16", 16, 2, Result::kBf16, 0, std::int64_t{1} << 8, 24, 8, 80, 8, "FLOP/s"},
    {Dtype::kFp16, "fp16", 16, 2, Result::kFp16, 0, std::int64_t{1} << 11, 24, 11, 70, 8, "FLOP/s"},
    {Dtype::kFp8, "fp8_e4m3", 8, 2, Result::kBf16, 0, 16, 13, 8, 89, 16, "FLOP/s"},
    {Dtype::kMxfp8, "mxfp8", 8, 2, Result::kBf16, 32, 4, 13, 8, 100, 32, "FLOP/s"},
    {Dtype::kNvfp4, "nvfp4", 4, 2, Result::kBf16, 16, 1, 13, 8, 100, 32, "FLOP/s"},
    {Dtype::kInt8, "int8", 8, 4, Result::kInt32, 0, 127, 30, 30, 75, 16, "OP/s"},
}};

}  // namespace

const Numbers& numbers(Dtype dtype) {
  for (const Numbers& row : kTable) {
    if (row.dtype == dtype) return row;
  }
  throw std::invalid_argument("a number type without a row in the table");
}

const char* name(Result result) {
  switch (result) {
    case Result::kFp64:
      return "fp64";
    case Result::kFp32:
      return "fp32";
    case Result::kBf16:
      return "bf16";
    case Result::kFp16:
      return "fp16";
    case Result::kInt32:
      return "int32";
  }
  return "";
}

Dtype dtype_of(std::string_view name) {
  for (const Numbers& row : kTable) {
    if (row.name == name) return row.dtype;
  }
  throw std::invalid_argument(fmt::format("unknown number type '{}'", name));
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const Numbers& row : kTable) names.emplace_back(row.name);
  return names;
}

std::optional<std::string> lacking(Dtype dtype, int major, int minor) {
  const Numbers& row = numbers(dtype);
  if (10 * major + minor >= row.least_capability) return std::nullopt;
  return fmt::format("{} needs compute capability {}.{}; this device has {}.{}", row.name,
                     row.least_capability / 10, row.least_capability % 10, major, minor);
}

std::int64_t operand_bytes(Dtype dtype, std::int64_t rows, std::int64_t k) {
  return (rows * k * numbers(dtype).operand_bits + 7) / 8;
}

std::int64_t scale_bytes(Dtype dtype, std::int64_t rows, std::int64_t k) {
  const int block = numbers(dtype).block;
  if (block > 0) return block_scale_bytes(rows, k / block);
  return dtype == Dtype::kFp8 ? static_cast<std::int64_t>(sizeof(float)) : 0;
}

}  // namespace rackproof::product
