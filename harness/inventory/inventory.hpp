#pragma once

#include <string>

#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// Reads what this node is: CPU, NUMA, memory, caches, governor, kernel, OS, NICs, limits,
/// libraries (hwloc, /sys, /proc), and its GPUs (NVML). Needs no root; a fact that cannot be read
/// says why. Never throws for an unreadable fact. `root` is put before every /sys, /proc and /etc
/// path, so that recorded machines can be read; hwloc and NVML are asked only when it is empty.
model::NodeInventory collect(const std::string& root = "");

}  // namespace rackproof::inventory
