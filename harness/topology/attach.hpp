#pragma once

#include <string>
#include <vector>

#include "harness/topology/attachment.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::topology {

/// What became of the lines of a topology.
struct Attached {
  std::size_t ports = 0;  ///< of adapters of these hosts, whose place is known now
  /// topology-gap: one for each host whose adapters and the topology do not fit together.
  std::vector<model::Finding> gaps;
  /// Lines that name an adapter which one of these hosts does not have: "FILE:12: gb-07 mlx5_9".
  std::vector<std::string> strangers;
};

/// Puts what the topology says of the adapters of `nodes` among their facts:
/// fabric.NIC.leaf, .leaf_port, .rail and .cable_serial, with file and line as source, and why not
/// for RDMA adapters of which it says nothing. NIC is the RDMA device, of adapters without one the
/// network interface, and for ports after the first NIC.portN. An adapter is found by the GUID of
/// its port or node, else by the names of host (with or without domain) and device or interface.
/// Throws ConfigError where two lines, or a line and a fact, say different things of one port, and
/// where no line is about any adapter of these hosts. An empty topology says nothing.
Attached attach(const std::vector<Attachment>& topology, std::vector<model::NodeInventory>& nodes);

/// Copies what attach() put among the facts of `from`, the same host earlier, to `to`.
void keep_places(const model::NodeInventory& from, model::NodeInventory& to);

}  // namespace rackproof::topology
