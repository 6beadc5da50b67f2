#pragma once

#include "benches/kit/nccl/local_ranks.hpp"
#include "benches/kit/session.hpp"
#include "benches/steps/nccl_config.hpp"

namespace rackproof::steps {

/// Runs each step and pass of the plan on every rank, products on one stream and messages on
/// another, and says what came of it. `memory_peak` is bytes a second of a device, 0 where nobody
/// knows. Every process of the group calls it.
void measure_steps(const NcclPlan& plan, const NcclConfig& config, double memory_peak,
                   kit::nccl::LocalRanks& locals, kit::Session& session);

}  // namespace rackproof::steps
