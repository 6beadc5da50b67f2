#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rackproof::topology {

/// Where one port of an adapter is connected, as a line of a file says it. An adapter is known by
/// its host and name, by the GUID of its node or by that of its port; one of them at least. What is
/// empty the line does not say.
struct Attachment {
  std::string host;
  std::string nic;  ///< RDMA device or network interface: mlx5_0, eth2
  std::optional<std::uint64_t> node_guid;
  std::optional<std::uint64_t> port_guid;
  int port = 1;  ///< of the adapter, 1-based
  std::string leaf;
  std::string leaf_port;
  std::string rail;
  std::string cable_serial;
  std::string file;
  int line = 0;  ///< 1-based
};

/// "gb-07 mlx5_0", "gb-07 mlx4_0 port 2" or "port GUID 0xa088c20300ab7bfe".
std::string name_of(const Attachment& attachment);

/// "leaf2 port 31"
std::string place_of(const Attachment& attachment);

}  // namespace rackproof::topology
