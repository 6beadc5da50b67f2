#pragma once

#include <vector>

#include "harness/crew/order.hpp"

namespace rackproof::crew {

/// For each of the arrivals, in their order: whose processes are this run's own on its host. Those
/// are of all ranks under the same kernel, whatever they call their host; the first of them looks
/// at it.
std::vector<warden::HostShare> shares_of(const std::vector<Arrival>& arrivals);

}  // namespace rackproof::crew
