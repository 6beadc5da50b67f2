#pragma once

#include "harness/plan/plan.hpp"
#include "harness/resume/request.hpp"

namespace rackproof::resume {

/// For a resumed run with the same hosts: throws Refused, with a cell, when the plan would owe
/// other cells than the earlier segment did. A new run owes nothing before.
void refuse_other_plan(const plan::Plan& plan, const Request& request);

/// For a run after a repair: the plan may differ in cells about what was repaired, as a GPU in
/// place of another one has a name of its own. Throws Refused where any other cell is new or gone,
/// or where repaired hosts owe fewer cells of a kind than they did.
void refuse_lesser_plan(const plan::Plan& plan, const Request& request);

/// For a resumed run without some hosts: puts the cells into the plan that the earlier segment
/// owed, those of the missing hosts among them, and takes out what is new about steps that are
/// done. Throws Refused when what is left is not part of the same run.
void keep_owed_cells(plan::Plan& plan, const Request& request);

}  // namespace rackproof::resume
