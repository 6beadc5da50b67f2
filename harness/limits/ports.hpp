#pragma once

#include <optional>
#include <vector>

#include "harness/limits/demand.hpp"

namespace rackproof::limits {

/// The first demand of the table for RDMA ports that applies to the cell and that a host of its
/// group does not meet while one of `measurements` was taken. A port counts when its own counter
/// says that it sent a quarter of what the busiest of its host sent at least: where one of eight is
/// gone, another carries twice its part, and what a file system sends meanwhile is no part at all.
/// Unknown where a host has no counters that moved, or was not recorded.
std::optional<UnmetDemand> unmet_ports(const evidence::Context& context,
                                       const model::PlatformTable& table, const model::Cell& cell,
                                       const std::vector<const model::Measurement*>& measurements);

}  // namespace rackproof::limits
