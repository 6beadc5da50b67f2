#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "harness/localise/network.hpp"
#include "harness/peers/fabric_ports.hpp"

namespace rackproof::peers {

/// Host and device of an end of a link.
using LinkEnd = std::pair<std::string, std::string>;

/// Like links, and the cell that each of them is.
struct LinkSet {
  localise::Network network;
  std::vector<std::size_t> cells;  ///< by the place of the link
  /// The other way of the same, where it was measured.
  std::vector<std::optional<std::size_t>> back;
  std::vector<LinkEnd> ends;  ///< by the place of the member
};

/// Every set of like links between hosts, or between GPUs, taken apart into the hosts, GPUs, NICs,
/// rails and leaves of its ends, as far as the inventories know these (ports_used()). None of sets
/// with too few links.
std::vector<LinkSet> link_sets(const evidence::Context& context, const cells::JudgedCells& judged,
                               const cells::CellAt& at);

/// The ports that messages of an end leave by, as far as they are known.
std::vector<FabricPort> ports_of_end(const evidence::Context& context, const LinkEnd& end);

}  // namespace rackproof::peers
