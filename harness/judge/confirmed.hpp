#pragma once

#include <vector>

#include "harness/judge/cell.hpp"
#include "harness/judge/context.hpp"

namespace rackproof::judge {

/// What measurements of attempts that confirm gave of a cell, each by the statistic of its verdict:
/// those that were checked, are in the unit of the number that was judged, scatter no more than the
/// metric does, and are no better than anybody can measure here.
std::vector<double> taken_again(const Context& context, const model::Cell& cell,
                                const model::PlatformTable* table,
                                const std::vector<const model::Measurement*>& again,
                                const Judgement& judgement);

}  // namespace rackproof::judge
