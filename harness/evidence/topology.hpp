#pragma once

#include <string>

#include "harness/evidence/context.hpp"

namespace rackproof::evidence {

/// How the GPUs of a group are connected; what is not known is 0.
struct Topology {
  double gpus = 0;                      ///< that take part: its parameter ranks
  double domain_gpus = 0;               ///< of them in the smallest NVLink domain
  int domains = 0;                      ///< that they are in
  double nvlink_bytes_per_second = 0;   ///< one way, of one GPU
  double network_bytes_per_second = 0;  ///< one way, a GPU's share of its host's ports
  std::string contradiction;            ///< why all this makes no sense; empty: it does
};

/// NVLink and the network from the table (peak.nvlink_bytes_per_second, peak.nic_bytes_per_second),
/// else the network from the active ports of each host: the fastest one, or the GPUs' share of all
/// where there are fewer. The least of all hosts counts. Domains are what the GPUs say that they
/// joined (nvlink.domain); a host of which they say nothing is one.
Topology topology_of(const Context& context, const model::PlatformTable& table,
                     const model::Cell& cell);

}  // namespace rackproof::evidence
