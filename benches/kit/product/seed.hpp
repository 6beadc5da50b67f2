#pragma once

#include <cstdint>

namespace rackproof::product {

/// A seed that no earlier run had, from the operating system.
std::uint64_t fresh_seed();

}  // namespace rackproof::product
