#pragma once

#include "benches/kit/nccl/local_ranks.hpp"
#include "benches/kit/session.hpp"
#include "benches/steps/nccl_config.hpp"

namespace rackproof::steps {

/// How well the messages of the plan are hidden behind products, on GPUs: the message on the
/// stream of NCCL, the products on another. For each message, in rounds: computing alone, the
/// message alone, both from one instant on, all in device time, of all ranks the longest; every
/// element of both results is proved after each of them. Says a check and the metrics of
/// say_overlap(). Every process of the group must call it; the one of rank 0 speaks.
void measure_overlap(const NcclPlan& plan, const NcclConfig& config, kit::nccl::LocalRanks& locals,
                     kit::Session& session);

}  // namespace rackproof::steps
