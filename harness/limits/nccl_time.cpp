#include "harness/limits/nccl_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rackproof::limits {
namespace {

constexpr double kMicrosecond = 1e-6;

/// Of one protocol, in microseconds: what an operation costs at all, and each step of a ring and
/// level of a tree over NVLink, over PCIe and over the network.
struct Protocol {
  double base_tree;
  double base_ring;
  std::array<double, 3> tree;
  std::array<double, 3> ring;
  double least_overhead;  ///< of each step of a ring that leaves a domain somewhere: of AMD hosts
  double share;           ///< of the bandwidth of the links
  double most;            ///< bytes a second; 0: no limit of its own
};

enum Link : std::size_t { kNvlink, kPcie, kNetwork };

// ncclTunerConstantsDefaults: baseLatencies, hwLatencies; getNetOverhead; ncclTopoTuneModel: LL
// carries half, a tree of it 1 / 3.8, and never more than llMaxBws, of which the least of several
// nodes stands here.
constexpr std::array kProtocols = {
    Protocol{6.8, 6.6, {0.6, 1.0, 5.0}, {0.6, 1.0, 2.7}, 2, 1 / 3.8, 19e9},
    Protocol{8.4, 8.4, {4.0, 4.0, 14.0}, {3.4, 5.7, 14.0}, 6, 1, 0}};

/// A step within a domain.
double inner_step(const Operation& of, const Protocol& protocol) {
  const double step = protocol.ring[of.nvlink ? kNvlink : kPcie];
  return of.domains > 1 ? std::max(step, protocol.least_overhead) : step;
}

double ring_latency(const Operation& of, const Protocol& protocol) {
  const bool rooted = of.name == "broadcast" || of.name == "reduce";
  if (rooted) {
    const double step =
        of.domains > 1 ? protocol.tree[kNetwork] : protocol.ring[of.nvlink ? kNvlink : kPcie];
    return protocol.base_ring + of.gpus * step;
  }
  const double rounds = of.name == "all_reduce" ? 2 : 1;
  const double between = rounds * (of.domains - 1);
  const double within = rounds * (of.gpus - 1) - between;
  // With one GPU in each domain nothing hides the network's latency, which is the tree's then.
  const double network = of.gpus == of.domains ? protocol.tree[kNetwork] : protocol.ring[kNetwork];
  return protocol.base_ring + within * inner_step(of, protocol) + between * network;
}

/// NCCL predicts no messages between two GPUs. Here they take the same constants: one step each, in
/// alltoall one to each GPU, those to other domains as LL does them.
double message_latency(const Operation& of, const Protocol& protocol) {
  const double own = of.gpus / of.domains;
  if (of.name == "alltoall") {
    return protocol.base_ring + (own - 1) * inner_step(of, protocol) +
           (of.gpus - own) * kProtocols[0].ring[kNetwork];
  }
  return protocol.base_ring +
         (of.domains > 1 ? protocol.ring[kNetwork] : protocol.ring[of.nvlink ? kNvlink : kPcie]);
}

double tree_latency(const Operation& of, const Protocol& protocol) {
  const Link inner = of.nvlink ? kNvlink : kPcie;
  return protocol.base_tree + 2 * ((of.gpus / of.domains - 1) * protocol.tree[inner] +
                                   std::ceil(std::log2(of.domains)) * protocol.tree[kNetwork]);
}

double latency_of(const Operation& of, const Protocol& protocol) {
  if (of.name == "alltoall" || of.name == "sendrecv" || of.name == "pairs") {
    return message_latency(of, protocol);
  }
  const double ring = ring_latency(of, protocol);
  return of.name == "all_reduce" ? std::min(ring, tree_latency(of, protocol)) : ring;
}

double bandwidth(const Operation& of, const Protocol& protocol) {
  const double share = of.bytes_per_second * protocol.share;
  return protocol.most > 0 ? std::min(share, protocol.most) : share;
}

}  // namespace

std::optional<double> bus_factor(std::string_view operation, double gpus) {
  if (operation == "all_reduce") return 2 * (gpus - 1) / gpus;
  if (operation == "all_gather" || operation == "reduce_scatter" || operation == "alltoall") {
    return (gpus - 1) / gpus;
  }
  if (operation == "broadcast" || operation == "reduce" || operation == "sendrecv" ||
      operation == "pairs") {
    return 1;
  }
  return std::nullopt;
}

std::optional<double> nccl_seconds(const Operation& operation) {
  const auto factor = bus_factor(operation.name, operation.gpus);
  if (!factor) return std::nullopt;
  std::optional<double> least;
  for (const Protocol& protocol : kProtocols) {
    const double seconds = latency_of(operation, protocol) * kMicrosecond +
                           operation.bytes * *factor / bandwidth(operation, protocol);
    least = least ? std::min(*least, seconds) : seconds;
  }
  return least;
}

}  // namespace rackproof::limits
