#pragma once

#include <string>

#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// Without persistence mode a driver starts every GPU anew: tens of seconds on a large node.
inline constexpr double kNvmlSeconds = 40;

/// Reads what this node is: CPU, NUMA, memory, caches, governor, kernel, OS, NICs, limits,
/// libraries (hwloc, /sys, /proc), and its GPUs (NVML). Needs no root; a fact that cannot be read
/// says why. Never throws for an unreadable fact. `root` is put before every /sys, /proc and /etc
/// path, so that recorded machines can be read; hwloc and NVML are asked only when it is empty.
/// A driver that does not answer within `nvml_seconds` costs what NVML would tell, and no more.
model::NodeInventory collect(const std::string& root = "", double nvml_seconds = kNvmlSeconds);

/// True when NVML was given up and may still hang: leave the process with _Exit, since what is run
/// at its end may wait for the same lock.
bool left_waiting();

}  // namespace rackproof::inventory
