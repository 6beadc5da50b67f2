#pragma once

#include "harness/assemble/reading.hpp"

namespace rackproof::assemble {

/// Puts what the recorders were told by kernels and drivers into the report, tied to the attempts
/// in whose time it fell. An event that says that hardware failed is a finding.
void fill_events(Reading& reading);

}  // namespace rackproof::assemble
