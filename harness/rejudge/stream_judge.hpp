#pragma once

#include "harness/rejudge/held_against.hpp"
#include "reports/json/report_pieces.hpp"
#include "reports/terminal/passed_cells.hpp"

namespace rackproof::rejudge {

/// Judges a report whose cells stay in their file, as judge::judge would, cell for cell. `report`
/// comes without cells; afterwards it has those that did not pass, without their samples. Gives
/// what the summary says of the others. Leaves the mark of each cell in `marks`, unless that is
/// null. Throws model::NotPlain.
terminal::PassedCells judge_in_pieces(const model::ReportPieces& pieces, model::Report& report,
                                      std::vector<OwedCells::Mark>* marks);

}  // namespace rackproof::rejudge
