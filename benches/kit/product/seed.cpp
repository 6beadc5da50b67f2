#include "benches/kit/product/seed.hpp"

#include <random>

namespace rackproof::product {

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

}  // namespace rackproof::product
