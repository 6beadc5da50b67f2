#include "benches/kit/reduction/kinds.hpp"

#include <array>
#include <cstdint>

namespace rackproof::reduction {
namespace {

constexpr std::array<std::string_view, 12> kDtypes{"int8",  "uint8",    "int32",      "uint32",
                                                   "int64", "uint64",   "float",      "double",
                                                   "half",  "bfloat16", "float8e4m3", "float8e5m2"};
constexpr std::array<std::string_view, 5> kRedOps{"sum", "prod", "min", "max", "avg"};

template <class Kind, class Words>
std::optional<Kind> find(const Words& words, std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view word(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }
std::string_view word(RedOp redop) { return kRedOps[static_cast<std::size_t>(redop)]; }

std::vector<std::string> dtype_words() { return {kDtypes.begin(), kDtypes.end()}; }
std::vector<std::string> redop_words() { return {kRedOps.begin(), kRedOps.end()}; }

std::optional<Dtype> dtype_of(std::string_view word) { return find<Dtype>(kDtypes, word); }
std::optional<RedOp> redop_of(std::string_view word) { return find<RedOp>(kRedOps, word); }

std::size_t size_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
    case Dtype::kUint8:
    case Dtype::kFloat8E4M3:
    case Dtype::kFloat8E5M2:
      return 1;
    case Dtype::kHalf:
    case Dtype::kBfloat16:
      return 2;
    case Dtype::kInt32:
    case Dtype::kUint32:
    case Dtype::kFloat:
      return 4;
    case Dtype::kInt64:
    case Dtype::kUint64:
    case Dtype::kDouble:
      return 8;
  }
  return 0;
}

bool has_exact_result(Dtype dtype, RedOp redop, int ranks) {
  if (redop != RedOp::kAvg) return true;
  switch (dtype) {
    case Dtype::kInt8:
      return ranks <= INT8_MAX;
    case Dtype::kUint8:
      return ranks <= UINT8_MAX;
    case Dtype::kHalf:
      return ranks <= 1 << 13;
    case Dtype::kFloat8E5M2:
      return ranks <= 1 << 14;
    case Dtype::kFloat8E4M3:
      return ranks <= 1 << 6;
    case Dtype::kInt32:
    case Dtype::kUint32:
    case Dtype::kInt64:
    case Dtype::kUint64:
    case Dtype::kFloat:
    case Dtype::kDouble:
    case Dtype::kBfloat16:
      break;
  }
  return true;
}

}  // namespace rackproof::reduction
