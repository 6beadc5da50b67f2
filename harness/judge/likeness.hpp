#pragma once

#include <cstddef>
#include <vector>

#include "harness/judge/cell.hpp"

namespace rackproof::judge {

/// Cells that should give like numbers, by their index in the report.
using LikeCells = std::vector<std::size_t>;

/// The cells with a trusted number, in sets of like ones: of one step, metric, parameters and
/// platform, judged by one statistic in one unit, about the same kind of subject, devices by their
/// name (links within a node apart from links between nodes, groups by size). Sets in the order of
/// their first cell, and every cell in one of them.
std::vector<LikeCells> like_cells(const Context& context, const std::vector<Judgement>& judgements);

}  // namespace rackproof::judge
