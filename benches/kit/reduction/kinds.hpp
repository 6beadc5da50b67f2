#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::reduction {

/// The last four are known to NCCL alone.
enum class Dtype {
  kInt8,
  kUint8,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble,
  kHalf,
  kBfloat16,
  kFloat8E4M3,
  kFloat8E5M2,
};

/// The last is known to NCCL alone.
enum class RedOp { kSum, kProd, kMin, kMax, kAvg };

/// The words of options, records and tables: "float", "sum".
std::string_view word(Dtype dtype);
std::string_view word(RedOp redop);

/// Every word, in the order of the enumerators.
std::vector<std::string> dtype_words();
std::vector<std::string> redop_words();

/// The enumerator for a word, or nothing.
std::optional<Dtype> dtype_of(std::string_view word);
std::optional<RedOp> redop_of(std::string_view word);

/// Bytes of one element.
std::size_t size_of(Dtype dtype);

/// False where no input is known whose reduction over `ranks` has the same bits in any order: an
/// average of integers over more ranks than the type can count, and one of narrow floating types
/// over more ranks than 1 / ranks is a normal number for, and the same when rounded by way of float
/// (half 8192, float8e5m2 16384, float8e4m3 64).
bool has_exact_result(Dtype dtype, RedOp redop, int ranks);

}  // namespace rackproof::reduction
