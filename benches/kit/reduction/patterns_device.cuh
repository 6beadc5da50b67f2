#pragma once

#include <algorithm>
#include <type_traits>

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/reduction/dtypes.hpp"
#include "benches/kit/reduction/patterns.hpp"

// What the two files of kernels share: from enumerators to types, and the shape of a launch.
namespace rackproof::reduction {

inline constexpr int kThreads = 256;

/// Blocks for `elements` of one slot: four elements a thread, and not more than fill a device when
/// there are many slots; the kernels go round for the rest.
inline unsigned blocks_for(std::int64_t elements, std::int64_t parts) {
  constexpr std::int64_t kPerBlock = 4 * kThreads;
  constexpr std::int64_t kMost = 8192;
  const std::int64_t wanted = (elements + kPerBlock - 1) / kPerBlock;
  const std::int64_t room = std::max<std::int64_t>(1, kMost / std::max<std::int64_t>(1, parts));
  return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, room));
}

/// Calls `use` with a value of the generator for a reduction of T, or for moving.
template <class T, class Use>
void with_generator(std::optional<RedOp> redop, Use&& use) {
  if (!redop) return use(elements::Moved<T>{});
  switch (*redop) {
    case RedOp::kSum:
      return use(elements::Sum<T>{});
    case RedOp::kProd:
      return use(elements::Prod<T>{});
    case RedOp::kMin:
      return use(elements::Extreme<T, false>{});
    case RedOp::kMax:
      return use(elements::Extreme<T, true>{});
    case RedOp::kAvg:
      return use(elements::Avg<T>{});
  }
}

}  // namespace rackproof::reduction
