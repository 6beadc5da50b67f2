#pragma once

#include <string>

#include "reports/model/planned_run.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::terminal {

/// What a run would measure: a line for each step with where it runs, its cells, how many of them a
/// limit judges, and its time; then why steps are not started, what judges which host and the sum.
/// With `style.all_cells` each cell with its limit comes first. The last line begins with "DRY
/// RUN:". Processes of a step run at the same time, so a step takes as long on eight devices as on
/// one; what is measured again is not in its time. Pure, and its text is printable.
std::string planned(const model::PlannedRun& run, const Style& style);

}  // namespace rackproof::terminal
