#pragma once

#include "benches/kit/session.hpp"
#include "benches/steps/config.hpp"
#include "benches/steps/groups.hpp"
#include "benches/steps/network.hpp"

namespace rackproof::steps {

/// Training steps of the card over the layout: one forward one backward over the stages, all
/// messages between them, and gradients added up over the replicas. After each step every element
/// of every tensor that crossed ranks is proved. Says a check, and then the metrics
/// steps.step_time, step_time_p99, step_time_predicted, bubble (with a pipeline), mfu, slowest_rank
/// and proof_share, and one sentence for the part that makes the step slow. Every rank must call
/// it; rank 0 speaks.
void measure_training(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session);

}  // namespace rackproof::steps
