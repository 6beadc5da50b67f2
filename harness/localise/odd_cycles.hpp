#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rackproof::localise {

/// For each member whether what is joined to it by pairs has a cycle of odd length: then sums of
/// levels over pairs tell its level (the matrix of such a component has full rank, as that of no
/// bipartite one has).
std::vector<bool> in_odd_component(std::size_t members,
                                   const std::vector<std::pair<int, int>>& pairs);

}  // namespace rackproof::localise
