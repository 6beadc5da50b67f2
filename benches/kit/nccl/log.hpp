#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "benches/protocol/record.hpp"

namespace rackproof::kit::nccl {

/// What NCCL chose for one launch of a collective, as its log says under TUNING. Operations that
/// only send and receive have no such line.
struct Choice {
  std::string operation;  ///< "AllReduce"
  std::int64_t bytes = 0;
  std::string algorithm;  ///< "RING", "TREE", "NVLS", ...; "SYMMETRIC" for the kernels over windows
  std::string protocol;   ///< "LL", "LL128", "SIMPLE"; the kernel's name where it is symmetric
  int channels = 0;
};

/// What NCCL's log says of the group it brought up. What no line told is empty or -1.
struct Log {
  int nodes = -1;
  int coll_channels = -1;
  int nvls_channels = -1;
  int p2p_channels = -1;
  int multicast =
      -1;          ///< 1 when NVLS multicast is available on every device that said so, 0 when not
  int mnnvl = -1;  ///< 1 when NVLink goes beyond the node
  std::string network;                    ///< "IB", "AWS Libfabric", "Socket": between nodes
  std::map<std::string, int> transports;  ///< connections by kind: "P2P/CUMEM", "NET/IB/GDRDMA"
  std::vector<Choice> choices;            ///< in the order of the log
};

/// Reads the lines of a log that are known (those of NCCL 2.28; in others what is still the same)
/// and passes over the rest.
Log parse_log(std::string_view text);

/// The facts of a note: nodes, channels, nvls, network, transports. Only what is known.
contract::Parameters to_facts(const Log& log);

/// What a table can demand of a group: network, nvls, mnnvl, and gdr (every connection over the
/// network goes from and to the memory of the GPU itself). Only what is known.
contract::Parameters to_conditions(const Log& log);

/// Facts of one choice: algorithm, protocol, channels.
contract::Parameters to_facts(const Choice& choice);

}  // namespace rackproof::kit::nccl
