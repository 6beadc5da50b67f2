#include "benches/pairs/in_rank.hpp"

namespace rackproof::pairs {

std::vector<InRankBench> in_rank_benches() { return {}; }

}  // namespace rackproof::pairs
