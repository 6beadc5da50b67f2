#include "benches/collectives/in_rank.hpp"

namespace rackproof::collectives {

std::vector<InRankBench> in_rank_benches() { return {}; }

}  // namespace rackproof::collectives
