#include "benches/copy/chase.hpp"

#include <numeric>
#include <random>
#include <utility>

namespace rackproof::copy {

std::vector<std::uint64_t> make_ring(std::uint64_t seed) {
  std::vector<std::uint64_t> order(kRingWords / kLineWords);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t last = order.size() - 1; last > 0; --last) {
    std::swap(order[last], order[random() % last]);
  }
  // Words between the heads of lines lead to line 0: a walk that strays ends elsewhere.
  std::vector<std::uint64_t> ring(kRingWords, 0);
  for (std::size_t line = 0; line < order.size(); ++line) {
    ring[line * kLineWords] = order[line] * kLineWords;
  }
  return ring;
}

}  // namespace rackproof::copy
