#pragma once

#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge {

/// Sets counts, acceptance and its reason from the verdicts. `optional_baseline` has an entry for
/// each cell: true when its verdict rests on a baseline that is not required, so that the cell is
/// not. Accepted takes a run that was neither interrupted nor cut short, every required cell `pass`
/// or `waived`, and at least one `pass` among them.
void conclude(model::Report& report, const std::vector<bool>& optional_baseline);

}  // namespace rackproof::judge
