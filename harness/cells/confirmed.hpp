#pragma once

#include <vector>

#include "harness/cells/cell.hpp"
#include "harness/evidence/context.hpp"

namespace rackproof::cells {

/// What measurements of attempts that confirm gave of a cell, each by the statistic of its verdict:
/// those that were checked, are in the unit of the number that was judged, scatter no more than the
/// metric does, and are no better than anybody can measure here.
std::vector<double> taken_again(const evidence::Context& context, const model::Cell& cell,
                                const model::PlatformTable* table,
                                const std::vector<const model::Measurement*>& again,
                                const Judgement& judgement);

}  // namespace rackproof::cells
