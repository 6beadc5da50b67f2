#pragma once

#include <span>

#include "reports/catalogue/quantity.hpp"

namespace rackproof::catalogue {

/// The parts of facts(), each in its own file.
std::span<const Quantity> host_facts();
std::span<const Quantity> gpu_facts();

}  // namespace rackproof::catalogue
