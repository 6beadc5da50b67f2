#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::product {

/// What a matrix unit multiplies: the type of the operands, and how it adds.
enum class Dtype { kFp64, kFp32, kTf32, kBf16, kFp16, kFp8, kMxfp8, kNvfp4, kInt8 };

/// The type of the elements of C.
enum class Result { kFp64, kFp32, kBf16, kFp16, kInt32 };

/// What is known of one.
struct Numbers {
  Dtype dtype;
  const char* name;  ///< as options and records spell it
  int operand_bits;  ///< of one stored element of A and B
  int result_bytes;  ///< of one element of C
  Result result;
  int block;              ///< elements along k that share a scale; 0: no scales of blocks
  std::int64_t largest;   ///< every integer up to this magnitude is exact in an operand
  int accumulator_bits;   ///< sums of integers are exact, in any order, up to 2^this
  int result_bits;        ///< integers up to 2^this are exact in C
  int least_capability;   ///< 90 for 9.0: devices below have no unit for it
  std::int64_t multiple;  ///< m, n and k must be multiples of this
  const char* unit;       ///< of its rate
};

inline constexpr std::array<Dtype, 9> kAllDtypes = {Dtype::kFp64,  Dtype::kFp32,  Dtype::kTf32,
                                                    Dtype::kBf16,  Dtype::kFp16,  Dtype::kFp8,
                                                    Dtype::kMxfp8, Dtype::kNvfp4, Dtype::kInt8};

const Numbers& numbers(Dtype dtype);
/// "fp64", "int32", ...
const char* name(Result result);
/// The type of that name. Throws std::invalid_argument for any other: options let none through.
Dtype dtype_of(std::string_view name);
std::vector<std::string> dtype_names();

/// What to say when a device of compute capability `major`.`minor` has no unit for the type:
/// "nvfp4 needs compute capability 10.0; this device has 9.0". Nothing when it has one.
std::optional<std::string> lacking(Dtype dtype, int major, int minor);

/// Bytes of the elements, and of the scales, of an operand of `rows` rows of `k` elements. Scales
/// of blocks lie as scale_offset() says; fp8_e4m3 has one float for the whole.
std::int64_t operand_bytes(Dtype dtype, std::int64_t rows, std::int64_t k);
std::int64_t scale_bytes(Dtype dtype, std::int64_t rows, std::int64_t k);

}  // namespace rackproof::product
