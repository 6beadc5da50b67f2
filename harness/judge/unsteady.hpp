#pragma once

#include <string>
#include <vector>

#include "harness/cells/judged_cells.hpp"

namespace rackproof::judge {

/// Takes their pass from cells that others of their step and subject contradict: untested
/// (disturbed). A fail stays, since nothing says that the number was better undisturbed.
///
/// Gives a finding `unsteady` for each step that lost cells so, or because their samples scatter.
std::vector<model::Finding> find_unsteady(const model::JudgePolicy& policy,
                                          cells::JudgedCells& judged, const cells::CellAt& at,
                                          cells::Amendments& amendments);

/// "12 numbers scatter or contradict each other", for the first line of a report whose findings are
/// made; empty where none does.
std::string unsteadiness(const model::Report& report);

}  // namespace rackproof::judge
