#pragma once

#include <cstdint>

#include "benches/collectives/formats.hpp"
#include "benches/collectives/kinds.hpp"

namespace rackproof::collectives {

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

}  // namespace rackproof::collectives
