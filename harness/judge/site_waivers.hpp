#pragma once

#include <string>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "harness/evidence/context.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::judge {

/// Whether the waiver is about the cell: its step, metric, parameters and subject.
bool is_meant(const model::CellWaiver& waiver, const model::Cell& cell);

/// What the run's waivers excuse: a cell that neither passes nor is waived by the suite or its
/// table becomes waived, unless it shows a wrong answer, a fault of the hardware befell it, or it
/// does not reach what the waiver asks for. What is right stays so. A waiver that was over when the
/// run began excuses nothing. Gives a finding for each waiver: what it excused, that it is over,
/// what it cannot excuse, or that nothing needed it. Comes after all other rules.
std::vector<model::Finding> apply_site_waivers(const evidence::Context& context,
                                               cells::JudgedCells& judged, const cells::CellAt& at,
                                               cells::Amendments& amendments);

/// For the sentence of the verdict: "2 results waived until 2026-12-31 by J. Doe"; empty: none.
std::string waivers_in_force(const model::Report& report);

/// "a waiver of J. Doe for 2 results was over on 2026-11-01"; empty: none.
std::string waivers_over(const model::Report& report);

}  // namespace rackproof::judge
