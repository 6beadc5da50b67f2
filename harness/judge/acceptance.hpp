#pragma once

#include <string>

#include "harness/cells/judged_cells.hpp"
#include "reports/model/report.hpp"

namespace rackproof::judge {

/// The first thing that the run requires and that was not proven, as a sentence; empty when there
/// is none. "gpu": every host has a GPU, none that the bus shows or NVML counts is missing among
/// its devices, and each is the subject of a cell that passes. What nobody knows is never met.
std::string unmet(const model::Report& report, const cells::JudgedCells& judged);

/// Sets counts, acceptance and its reason from the outcomes. Accepted takes a run that was neither
/// interrupted nor cut short, every required cell `pass` or `waived`, at least one `pass` among
/// them, and what the run requires (unmet()). A cell whose verdict rests on a baseline that is not
/// required is not required either. `at` gives the cells that neither passed nor are waived, and
/// what it gives must stay where it is.
void conclude(model::Report& report, const cells::JudgedCells& judged, const cells::CellAt& at);

}  // namespace rackproof::judge
