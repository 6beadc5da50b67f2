#pragma once

#include <vector>

#include "harness/judge/judged_cells.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::judge {

/// A finding slow-host for each host whose every link to other hosts failed, two at least, while
/// most of the links between the others did not: it is the host, or its way to the switch, and not
/// that many links. Of one metric and its parameters; more of them are one finding.
/// Of a host with one port on the fabric that is known it says where that is connected.
std::vector<model::Finding> find_shared_ends(const Context& context, const JudgedCells& judged,
                                             const CellAt& at);

}  // namespace rackproof::judge
