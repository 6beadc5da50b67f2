#pragma once

#include <cstdint>

#include "benches/collectives/kinds.hpp"

namespace rackproof::collectives {

/// How much one operation moves, in the terms of nccl-tests.
struct Shape {
  std::int64_t count = 0;      ///< elements per rank, or per block where there is one for each rank
  std::int64_t in_count = 0;   ///< elements in a rank's input
  std::int64_t out_count = 0;  ///< elements in a rank's output
  std::int64_t size_bytes = 0;  ///< S: what algbw counts
};

/// The shape whose S is at most `bytes`, and no less than one element (or one for each rank). S is
/// count x element for all_reduce, broadcast, reduce and sendrecv, and the whole buffer, count x
/// element x ranks, for all_gather, reduce_scatter and alltoall.
Shape shape_of(Operation operation, int ranks, std::int64_t bytes, std::size_t element_bytes);

/// busbw = algbw x factor: 2(n-1)/n for all_reduce, (n-1)/n for all_gather, reduce_scatter and
/// alltoall, 1 for broadcast, reduce and sendrecv. A group of one has no bus: 0 for all.
double bus_factor(Operation operation, int ranks);

/// Bytes per second: S / t.
double algorithm_bandwidth(const Shape& shape, double seconds);

}  // namespace rackproof::collectives
