#include "benches/stream/race.hpp"

#include <algorithm>

namespace rackproof::stream {

bool Race::runs(std::size_t candidate) const {
  return best_[candidate] == kNever || best_[candidate] < kBehind * least_;
}

void Race::took(std::size_t candidate, double seconds) {
  best_[candidate] = std::min(best_[candidate], seconds);
  least_ = std::min(least_, seconds);
}

}  // namespace rackproof::stream
