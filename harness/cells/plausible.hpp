#pragma once

#include <optional>
#include <vector>

#include "harness/cells/judged_cells.hpp"

namespace rackproof::cells {

/// Why nobody can have measured `value` (the statistic of that name of the measurement): it is
/// better than what bounds the metric on the cell's hosts, by report.bounds and the facts that
/// `table` and inventory state, than what the metric is on any machine, or, where its bench does
/// not say, than anything in its unit can be. `table` may be null. Also the verdict on a
/// measurement in another unit, or better on the other side, than its bench prints.
std::optional<model::Verdict> refuse_implausible(const evidence::Context& context,
                                                 const model::Cell& cell,
                                                 const model::PlatformTable* table,
                                                 const model::Measurement& measurement,
                                                 contract::Statistic statistic, double value);

/// A finding for each step and metric with cells that were refused so.
std::vector<model::Finding> find_implausible(const JudgedCells& judged);

}  // namespace rackproof::cells
