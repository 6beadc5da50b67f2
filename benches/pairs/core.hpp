#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"
#include "benches/pairs/kinds.hpp"
#include "benches/pairs/transport.hpp"
#include "contract/tournament.hpp"

namespace rackproof::pairs {

/// The command line, the same for every backend.
struct Config {
  std::vector<std::string> sizes{"8", "64K", "4M"};
  std::vector<std::string> tests{"latency", "one", "both"};
  std::int64_t samples = 20;
  std::int64_t warmup = 2;
  std::int64_t seed = 1;
  std::int64_t rounds = 0;  ///< 0: all
  /// Seed of contract::Tournament, where not all are played.
  std::int64_t draw = contract::kUsualDraw;
  std::int64_t window = kHostWindow;  ///< the transport's, no option
};

void declare(kit::Options& options, Config& config);

/// What is measured with each pair, in order: latency, forward, backward, both, each at every size.
/// Throws kit::UsageError for a size that is no multiple of 8 B, zero, too large, or said twice.
std::vector<Spec> specs_of(const Config& config);

/// Bytes that one member sends, and as many that it receives, at most at once: see
/// Transport::reserve.
std::int64_t span_of(const std::vector<Spec>& specs);

/// Plays the tournament, or the rounds of it that were asked for. Must be called by all members
/// with the same config. All pairs of a round measure the same thing at the same time. Member 0
/// says the results (see results.hpp), round by round; the others say phases alone. Throws
/// kit::Unavailable on all members when there is one alone, or when one of them lacks the memory.
void measure(Transport& transport, const Config& config, kit::Session& session);

}  // namespace rackproof::pairs
