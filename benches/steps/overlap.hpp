#pragma once

#include "benches/kit/session.hpp"
#include "benches/steps/config.hpp"
#include "benches/steps/groups.hpp"
#include "benches/steps/network.hpp"

namespace rackproof::steps {

/// How well messages of the card, and of the sweep, are hidden behind the products of its
/// feed-forward part. For each cell, in rounds: computing alone, the message alone, both; every
/// element of both results is proved after each of them. Says a check, and then the metrics
/// steps.compute_time, message_time, joint_time, overlap, compute_slowdown, message_slowdown and
/// exposed. Every rank must call it; rank 0 speaks.
void measure_overlap(const Plan& plan, const Config& config, const Groups& groups, Network& network,
                     kit::Session& session);

}  // namespace rackproof::steps
