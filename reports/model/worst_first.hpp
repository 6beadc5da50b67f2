#pragma once

#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// Puts cells that failed into the order in which a reader looks for the culprit: required ones
/// first; of those the subject with the most of them, and a group after everything else, since one
/// slow member spoils it; of one subject the cell farthest from what was expected of it, or from
/// its peers where nothing was, and one without a number (a wrong answer) before all. Equal ones
/// keep their order.
std::vector<const Cell*> worst_first(const std::vector<const Cell*>& failed);

}  // namespace rackproof::model
