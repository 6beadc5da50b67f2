#pragma once

#include <string>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "reports/model/report.hpp"

namespace rackproof::judge {

/// Why a run that went well does not stand for what was meant to be tested, in the order in which
/// it is to be told: hosts or GPUs are missing, steps were left out, nobody watched the hardware.
/// Empty: it does.
std::string shortfall(const model::Report& report);

/// The first GPU that was meant to be there and about which no cell passes; empty where none was
/// meant.
std::string unproven_gpu(const model::Report& report, const cells::JudgedCells& judged);

/// The same as findings, each in full, and what a resumed run was made with when that changed on
/// the way: not-all-there, partial-selection, unwatched, other-programs.
std::vector<model::Finding> find_shortfalls(const model::Report& report);

}  // namespace rackproof::judge
