#pragma once

namespace rackproof::kit {

/// Seconds on CLOCK_MONOTONIC, from an arbitrary start.
double now_seconds();

/// The smallest step that now_seconds() was seen to make (measured once, then remembered).
double clock_resolution_seconds();

}  // namespace rackproof::kit
