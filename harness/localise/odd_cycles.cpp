#include "harness/localise/odd_cycles.hpp"

namespace rackproof::localise {

std::vector<bool> in_odd_component(std::size_t members,
                                   const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::vector<std::size_t>> beside(members);
  for (const auto& [low, high] : pairs) {
    beside[static_cast<std::size_t>(low)].push_back(static_cast<std::size_t>(high));
    beside[static_cast<std::size_t>(high)].push_back(static_cast<std::size_t>(low));
  }
  std::vector<int> side(members, 0);  // 0: not seen
  std::vector<bool> odd(members, false);
  for (std::size_t first = 0; first < members; ++first) {
    if (side[first] != 0) continue;
    std::vector<std::size_t> component{first};
    side[first] = 1;
    bool cycle = false;
    for (std::size_t at = 0; at < component.size(); ++at) {
      const std::size_t member = component[at];
      for (const std::size_t other : beside[member]) {
        if (side[other] == side[member]) cycle = true;
        if (side[other] != 0) continue;
        side[other] = -side[member];
        component.push_back(other);
      }
    }
    for (const std::size_t member : component) odd[member] = cycle;
  }
  return odd;
}

}  // namespace rackproof::localise
