#pragma once

#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::peers {

/// A finding slow-host for each host whose every link to other hosts failed, two at least, while
/// most of the links between the others did not: it is the host, or its way to the switch, and not
/// that many links. Of one metric and its parameters; more of them are one finding.
/// Of a host with one port on the fabric that is known it says where that is connected.
std::vector<model::Finding> find_shared_ends(const evidence::Context& context,
                                             const cells::JudgedCells& judged,
                                             const cells::CellAt& at);

}  // namespace rackproof::peers
