#pragma once

#include <cstdint>

#include "benches/collectives/kinds.hpp"
#include "benches/kit/nccl/local_ranks.hpp"

namespace rackproof::collectives {

/// Queues one operation of a local rank. `count` as in Transport. In place, `in` and `out` lie as
/// NCCL has it: in == out; all_gather, in at the own block of out; reduce_scatter, out at the own
/// block of in.
void enqueue(const kit::nccl::LocalRanks& locals, int local, Operation operation, const void* in,
             void* out, std::int64_t count, Dtype dtype, RedOp redop);

}  // namespace rackproof::collectives
