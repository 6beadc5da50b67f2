#pragma once

#include <vector>

#include "harness/cells/judged_cells.hpp"

namespace rackproof::judge {

/// A finding for each process of a step that ended badly in one attempt and well in another. What
/// we cancelled ourselves, and what is not available here, counts for neither. In the order of
/// steps, then subjects.
std::vector<model::Finding> find_flaky(const model::Report& report);

/// A finding for each step in which cells are judged by a steady attempt although they would have
/// failed by another, whose samples scatter: what throttles now and then must not pass unseen.
std::vector<model::Finding> find_left_out(const cells::JudgedCells& judged);

}  // namespace rackproof::judge
