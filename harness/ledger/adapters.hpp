#pragma once

#include <string>
#include <vector>

#include "reports/model/inventory.hpp"

namespace rackproof::ledger {

struct Adapter {
  std::string name;  ///< "mlx5_0", "eth0"
  std::string code;  ///< node GUID, or hardware address
};

/// The adapters of a node by which they can be told from others: RDMA adapters by their node GUID,
/// and network interfaces by their hardware address, unless they belong to one of the former or
/// are a bond of several. Without those whose GUID or address is not known or all zero.
std::vector<Adapter> adapters_of(const model::NodeInventory& node);

}  // namespace rackproof::ledger
