#pragma once

#include "benches/kit/session.hpp"
#include "benches/steps/config.hpp"
#include "benches/steps/groups.hpp"
#include "benches/steps/network.hpp"

namespace rackproof::steps {

/// Prefill: all tokens of a micro-batch forward through all stages, one micro-batch. Says
/// steps.prefill_time.
void measure_prefill(const Plan& plan, const Config& config, const Groups& groups, Network& network,
                     kit::Session& session);

/// Decoding: one token of each of a batch of sequences forward, attention reading the keys and
/// values of --context tokens. Says, for each batch, steps.token_time, token_bound (the bytes that
/// a token needs at the rate at which all ranks together read memory in this run), and
/// token_message_share: what its small all-reduces take of it.
void measure_decoding(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session);

/// The keys and values of one sequence from each rank of the first half to one of the second, in
/// pieces of one token. Says steps.kv_transfer, the rate of one pair.
void measure_transfer(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session);

}  // namespace rackproof::steps
