#pragma once

#include <optional>
#include <string_view>

namespace rackproof::limits {

/// An operation over a group of GPUs, as NCCL's tuning sees it.
struct Operation {
  std::string_view name;    ///< "all_reduce"
  double gpus = 0;          ///< 2 and more
  double domains = 1;       ///< that NVLink or PCIe spans
  bool nvlink = true;       ///< between the GPUs of a domain; else PCIe
  double bytes = 0;         ///< as nccl-tests counts them
  double bytes_per_second;  ///< bus bandwidth that the links allow
};

/// How long NCCL's own model says that the operation takes, in seconds: the least over its
/// algorithms (ring, and tree for all_reduce) and the protocols that every connection has (LL and
/// Simple) of latency + bytes / bandwidth; of messages between two GPUs, which it has no model of,
/// by the same constants. Nothing for an operation that nobody knows. A tree over domains that are
/// no power of two has the level that NCCL leaves out. Source:
/// NVIDIA/nccl:src/graph/tuning.cc@5067397c2676d5aed50042fc39e5c8ee96eb0027,
/// ncclTunerConstantsDefaults and ncclTopoTuneModel.
std::optional<double> nccl_seconds(const Operation& operation);

/// Bus bandwidth is bytes x this / time (NVIDIA/nccl-tests, doc/PERFORMANCE.md); nothing for an
/// operation that it does not know.
std::optional<double> bus_factor(std::string_view operation, double gpus);

}  // namespace rackproof::limits
