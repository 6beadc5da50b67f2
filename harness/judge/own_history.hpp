#pragma once

#include <vector>

#include "harness/judge/cell.hpp"

namespace rackproof::judge {

/// For each cell the earlier values of the same part (report().history): about the same device by
/// its UUID, or the same host, of one step, metric, parameters and unit. Null where there are fewer
/// than stats::kLeastHistory, or one that is not positive and finite. Links and groups have none.
std::vector<const model::History*> own_history(const Context& context,
                                               const std::vector<Judgement>& judgements);

}  // namespace rackproof::judge
