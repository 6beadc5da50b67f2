#pragma once

#include "harness/assemble/assemble.hpp"
#include "harness/assemble/reading.hpp"

namespace rackproof::assemble {

/// Puts the recordings into the report, and beside each attempt what its host was recorded to do
/// meanwhile. A recording that is missing, damaged or ends before the run does is a finding.
void fill_recordings(Reading& reading, const Recordings& recordings);

}  // namespace rackproof::assemble
