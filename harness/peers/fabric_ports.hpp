#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::peers {

/// Where a port of an adapter is connected, by the facts fabric.NIC.* of its host; what is empty
/// nobody said.
struct FabricPort {
  std::string nic;
  std::string rail;
  std::string leaf;
  std::string leaf_port;
  std::string cable_serial;
};

/// Those of a host, sorted by NIC.
std::vector<FabricPort> fabric_ports(const model::NodeInventory& node);

/// The ports that what a GPU, or with `gpu` null any program of the host, sends to others can leave
/// by: those of the one RDMA adapter that is nearest to the GPU (gpu.near_adapters), known to the
/// topology or not; of a program the only port of the host that is known. Empty where there are
/// several, so that nobody can tell.
std::vector<FabricPort> ports_used(const model::NodeInventory& node, const model::DeviceFacts* gpu);

/// "NIC mlx5_0, rail 3, leaf2 port 31, cable MT2325VS01234", as far as it is known.
std::string text_of(const FabricPort& port);

/// Where both ends of a link between hosts are connected: " (gb-07: NIC mlx5_0, leaf2 port 31;
/// gb-09: NIC mlx5_0, leaf2 port 4)". Empty for any other subject, and where an end has not one
/// known port.
std::string ends_text(const model::Report& report, const model::Subject& subject);

}  // namespace rackproof::peers
