#pragma once

#include "benches/copy/plan.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::copy {

/// Measures all that the settings ask for and this machine has. For each flow of each task a check,
/// then one metric in B/s: copy.h2d, copy.d2h and copy.local about the device, copy.peer_write and
/// copy.peer_read about the link from the device where the data lay (id) to the one where it went
/// (peer). For each chase a check and copy.latency in s, seconds of one step. Every sample is
/// proved: destinations are poisoned before it and compared in full after it. Throws
/// kit::UsageError for sizes that are refused or do not fit, kit::Unavailable when there is nothing
/// to measure here.
void measure(const Settings& settings, kit::Session& session);

}  // namespace rackproof::copy
