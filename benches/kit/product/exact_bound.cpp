#include "benches/kit/product/exact_bound.hpp"

#include <algorithm>
#include <cmath>

namespace rackproof::product {

std::int64_t exact_bound(std::int64_t depth, int mantissa_bits) {
  const std::int64_t room = (std::int64_t{1} << mantissa_bits) / std::max<std::int64_t>(depth, 1);
  auto bound = static_cast<std::int64_t>(std::sqrt(static_cast<double>(room)));
  while (bound * bound > room) --bound;
  while ((bound + 1) * (bound + 1) <= room) ++bound;
  return bound;
}

}  // namespace rackproof::product
