#pragma once

#include <string>

#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

/// `inventory --check`: this node, or the nodes of the files given, held against their platforms
/// and against each other. Gives the exit code.
int check_inventories(const InventoryOptions& options, const Program& program);

}  // namespace rackproof::cli
