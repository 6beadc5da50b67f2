#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cells/judged_cells.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::peers {

/// What links between like members say together.
struct Localised {
  /// localised: one for each part or link that is to blame, in the order of what they explain.
  std::vector<model::Finding> findings;
  /// Step and subject of the links of parts that are named so: what each of them says by itself is
  /// the same once more.
  std::set<std::pair<std::string, std::string>> links;
};

/// Every set of like links between hosts, or between GPUs, is taken apart into the hosts, GPUs,
/// NICs, rails and leaves of its ends, as far as the inventories know these (ports_used()), and
/// searched for who is to blame (localise::accuse), at the policy's family_alpha over all sets and
/// its peer_effect. The same part by several sets is one finding, of its largest deficit. Of
/// severity warning: it says where to look. Where its links were measured again (LinksAgain) it is
/// an error if later values confirm it, and nothing is accepted; an info where they do not show it.
/// An error as well is a part beyond peer_margin that was not measured again though the policy
/// confirms.
/// No cell passes or fails for it.
Localised localise_links(const evidence::Context& context, const cells::JudgedCells& judged,
                         const cells::CellAt& at);

/// Cells of like links, by their places.
struct AccusedLinks {
  /// Of the parts and links that are accused, and some of the others, as later values are fitted
  /// by themselves.
  std::vector<std::size_t> cells;
  /// Of the better half of all others, the nearest to the median first.
  std::vector<std::size_t> controls;
};

/// What is to be measured again to confirm what localise_links() says, set by set.
std::vector<AccusedLinks> accused_links(const evidence::Context& context,
                                        const cells::JudgedCells& judged, const cells::CellAt& at);

}  // namespace rackproof::peers
