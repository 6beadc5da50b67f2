#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge {

/// The first thing that the run requires and that was not proven, as a sentence; empty when there
/// is none. "gpu": every host has a GPU, none that the bus shows or NVML counts is missing among
/// its devices, and each is the subject of a cell that passes. What nobody knows is never met.
std::string unmet(const model::Report& report);

/// Sets counts, acceptance and its reason from the verdicts. `optional_baseline` has an entry for
/// each cell: true when its verdict rests on a baseline that is not required, so that the cell is
/// not. Accepted takes a run that was neither interrupted nor cut short, every required cell `pass`
/// or `waived`, at least one `pass` among them, and what the run requires (unmet()).
void conclude(model::Report& report, const std::vector<bool>& optional_baseline);

}  // namespace rackproof::judge
