#pragma once

#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// Adds a finding for each program that was built so that its speed says little of the machine.
void note_slow_builds(model::Report& report);

}  // namespace rackproof::assemble
