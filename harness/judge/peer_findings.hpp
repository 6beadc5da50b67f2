#pragma once

#include <cstddef>
#include <vector>

#include "harness/judge/cell.hpp"
#include "harness/judge/docket.hpp"
#include "harness/stats/peers.hpp"

namespace rackproof::judge {

/// One comparison of a cell: with its peers, or with its own earlier values.
struct Comparison {
  std::size_t cell = 0;
  bool with_history = false;
  stats::Standing standing;
  double centre = 0;  ///< the median that it was compared with, in the unit of the cell
  std::size_t n = 0;  ///< peers, or earlier values
};

/// The finding about a comparison that stands out. `adjusted` is its p-value over the whole run.
model::Finding finding_of(const Comparison& comparison, const model::Cell& cell,
                          const Judgement& judgement, double adjusted, bool bad);

/// Like cells that fall into two groups.
struct TwoKinds {
  const LikeCells* cells = nullptr;
  const stats::Standings* standings = nullptr;
};

/// Findings bimodal-peers: one for each step and smaller group, however many metrics show it.
std::vector<model::Finding> findings_of_kinds(Courses& courses, const Docket& docket,
                                              const CellAt& at, const std::vector<TwoKinds>& split);

}  // namespace rackproof::judge
