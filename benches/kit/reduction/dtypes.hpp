#pragma once

#include <cstdint>
#include <optional>

#include "benches/kit/reduction/formats.hpp"
#include "benches/kit/reduction/kinds.hpp"

namespace rackproof::reduction {

/// Calls `use` with a value of the type that `dtype` names: of C++, or a tag of formats.hpp.
template <class Use>
auto with_type(Dtype dtype, Use&& use) {
  switch (dtype) {
    case Dtype::kInt8:
      return use(std::int8_t{});
    case Dtype::kUint8:
      return use(std::uint8_t{});
    case Dtype::kInt32:
      return use(std::int32_t{});
    case Dtype::kUint32:
      return use(std::uint32_t{});
    case Dtype::kInt64:
      return use(std::int64_t{});
    case Dtype::kUint64:
      return use(std::uint64_t{});
    case Dtype::kFloat:
      return use(float{});
    case Dtype::kHalf:
      return use(elements::Half{});
    case Dtype::kBfloat16:
      return use(elements::Bfloat16{});
    case Dtype::kFloat8E4M3:
      return use(elements::Float8E4M3{});
    case Dtype::kFloat8E5M2:
      return use(elements::Float8E5M2{});
    case Dtype::kDouble:
      break;
  }
  return use(double{});
}

/// What a rule of data needs to know of an average; nothing for other reductions.
inline elements::Mean mean_of(Dtype dtype, std::optional<RedOp> redop, int ranks) {
  if (redop != RedOp::kAvg) return {};
  return with_type(dtype, [&](auto zero) {
    return elements::mean_over<decltype(zero)>(static_cast<std::uint64_t>(ranks));
  });
}

}  // namespace rackproof::reduction
